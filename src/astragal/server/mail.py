"""E-mail, where the host has named a server for it: to confirm an address, and to say that it is somebody's turn."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import metrics
from astragal.server.addresses import read

SECONDS = 20.0
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}")


class Letter(Struct, frozen=True, kw_only=True):
    """What is sent: plain text, and where its reader can say at any time that no more is wanted."""

    to: str
    subject: str
    text: str
    remove: str = ""  # an address for a POST, as mail programs make it (RFC 8058)


class Post:
    """The server that takes our mail: `smtp://USER:PASSWORD@HOST:587`, or `smtps://` with TLS from the beginning."""

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        try:
            self._port = parts.port
        except ValueError:
            self._port = None
            parts = parts._replace(scheme="")
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise AstragalError(say("{url!r} is no mail server; write smtp://USER:PASSWORD@HOST:587", url=url))
        if not ADDRESS.fullmatch(sender):
            raise AstragalError(say("{value!r} is no address to send mail from; write --mail-from", value=sender))
        self.sender, self._host, self._tls = sender, parts.hostname, parts.scheme == "smtps"
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._thread = ThreadPoolExecutor(1, "mail")  # one after the other

    async def send(self, letter: Letter) -> bool:
        """Whether the mail server has taken it."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._send, letter)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            metrics.logger.warning("a mail was not sent: %s", _described(error))
            return False
        return True

    def close(self) -> None:
        """Sends nothing any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _send(self, letter: Letter) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, letter.to, letter.subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=self.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if letter.remove:
            message["List-Unsubscribe"] = f"<{letter.remove}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(letter.text)
        with self._connect() as server:
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._tls:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port or 465, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port or 587, timeout=SECONDS)
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=context)
                server.ehlo()
            elif self._user and not self._on_this_computer():
                raise smtplib.SMTPException("the mail server offers no TLS; the password is not sent to it")
        if self._user:
            server.login(self._user, self._password)
        return server

    def _on_this_computer(self) -> bool:
        address = read(self._host)
        return self._host == "localhost" or (address is not None and address.is_loopback)


def _described(error: Exception) -> str:
    """An error for the log: its type and SMTP code. Its text may hold the address of whoever was written to."""
    codes = [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    return " ".join((type(error).__name__, *map(str, codes)))
