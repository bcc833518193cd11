// Keeps all files of one version of the site, so that it works without a network. A newer version is kept beside it, and
// takes over when nobody looks at the older one any more, or somebody asks for it.

const { version, files } = {"what":"is kept"};
const name = 'wgslab-' + version;

// keep fetches one file. What is not named for its contents may be an older one in the browser's own cache; and what a
// server redirected no page may be made of.
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
  const kept = async () => await (await caches.open(name)).match(url.href) ?? fetch(event.request);
  event.respondWith(kept());
});
