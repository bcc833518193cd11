// This service worker stores all files of one version of the site, so that the site works offline. A newer version waits
// until no tab uses the older one, or until the visitor asks for it. Files for one lesson only are stored when that lesson
// first asks for them.

const { version, files, later } = {"what":"is kept"};
const name = 'wgslab-' + version;

// keep fetches one file. Files without a content hash in their name bypass the browser's cache, which may hold an older
// version. Redirected responses are copied, because a browser refuses them for a page.
const keep = async (cache, file) => {
  const response = await fetch(file, { cache: file.startsWith('a/') ? 'default' : 'no-cache' });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const { status, headers } = response;
  await cache.put(file, response.redirected ? new Response(response.body, { status, headers }) : response);
};

addEventListener('install', (event) => {
  event.waitUntil(caches.open(name).then((cache) => Promise.all(files.map((file) => keep(cache, file)))));
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
  const asked = later.find((file) => new URL(file, location).href === url.href);
  const kept = async () => {
    const cache = await caches.open(name);
    if (asked && !await cache.match(url.href)) await keep(cache, asked).catch(() => {}); // the fetch below says why
    return await cache.match(url.href) ?? fetch(event.request);
  };
  event.respondWith(kept());
});
