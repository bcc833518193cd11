// Keeps all files of one version of the site, so that it works without a network. A newer version is kept beside it, and
// takes over when nobody looks at the older one any more, or somebody asks for it.

const { version, files } = {"what":"is kept"};
const name = 'wgslab-' + version;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});

addEventListener('activate', (event) => {
  const older = async () => {
    for (const other of await caches.keys()) {
      if (other.startsWith('wgslab-') && other !== name) await caches.delete(other);
    }
    await clients.claim();
  };
  event.waitUntil(older());
});

addEventListener('message', ({ data }) => { if (data === 'take over') skipWaiting(); });

addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  url.search = '';
  const kept = async () => await (await caches.open(name)).match(url.href) ?? fetch(event.request);
  event.respondWith(kept());
});
