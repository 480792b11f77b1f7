// Opens the scanner's page when there is no network. The page itself fills the cache (door.js).
"use strict";

const CACHE = "door";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  // Addresses of static files carry a hash of their content: what was kept is what it is.
  if (url.pathname.startsWith("/static/")) event.respondWith(kept(event.request).then((found) => found || fetch(event.request)));
  else if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch((error) => offline(event.request, error)));
});

async function kept(request) {
  const cache = await caches.open(CACHE);
  return cache.match(request);
}

async function offline(request, error) {
  const page = await kept(request);
  if (page) return page;
  throw error;
}
