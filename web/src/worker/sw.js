// Keeps the files of one build of the client, so that the hall opens at once, and also while its host is away.
// What the server knows (everything under /api) and the documentation are never kept.
const CACHE = `astragal-${"VERSION"}`;
const FILES = ["FILES"];
const SHELL = "/"; // one page for all addresses of the client
const PATIENCE = 3000; // milliseconds that the server has for the page itself

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([SHELL, "/icon.svg", "/manifest.webmanifest", ...FILES])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const clean = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("astragal-") && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(clean.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || /^\/(api|docs|health|ready|metrics)(\/|$)/.test(url.pathname)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (FILES.includes(url.pathname) || url.pathname === "/icon.svg") event.respondWith(kept(request));
});

/** A file of this build never changes. */
async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** The page as the server has it now; as it was kept if the server is away or takes too long. */
async function page(request) {
  const cache = await caches.open(CACHE);
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), PATIENCE));
  try {
    return await Promise.race([fetch(request), late]);
  } catch {
    return (await cache.match(SHELL)) ?? fetch(request);
  }
}

// The server says that it is somebody's turn, while no page may be open.
self.addEventListener("push", (event) => {
  const { title = "Astragal", body = "", url = "/", tag } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: new URL(url, location.origin).href }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = event.notification.data ?? "/";
  const show = async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const there = open.find((client) => client.url === wanted);
    await (there ? there.focus() : self.clients.openWindow(wanted));
  };
  event.waitUntil(show());
});
