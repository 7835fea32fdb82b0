# A server of Astragal. The first stage builds the wheel, the second has nothing but what it needs.
#
#   docker build -t astragal .
#   docker run -p 8484:8484 -v astragal:/data astragal
#
# compose.yaml has it together with PostgreSQL; docs/hosting.md says what else a host should know.
FROM python:3.13-slim AS build
WORKDIR /source
COPY requirements-build.lock requirements-node.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements-build.lock -r requirements-node.lock
COPY . .
RUN python -m hatchling build -t wheel -d /wheels

FROM python:3.13-slim
COPY requirements.lock /tmp/
RUN pip install --no-cache-dir --require-hashes -r /tmp/requirements.lock
COPY --from=build /wheels /tmp/wheels
RUN pip install --no-cache-dir --no-deps /tmp/wheels/*.whl \
    && rm -r /tmp/wheels \
    && useradd --create-home astragal \
    && install -d -o astragal /data /cache
USER astragal
ENV XDG_DATA_HOME=/data ASTRAGAL_CACHE=/cache PYTHONUNBUFFERED=1
VOLUME ["/data", "/cache"]
EXPOSE 8484
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8484/health', timeout=3)"]
ENTRYPOINT ["astragal"]
CMD ["serve", "--host", "0.0.0.0"]
