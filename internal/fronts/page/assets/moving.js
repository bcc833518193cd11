// Pictures that move play a few times and then rest. They begin when the learner sees them, and again
// on a click.

// setUpMoving starts a picture once half of it is in the window. A browser starts the animation when it
// loads the picture, and loads an address only once, so each start has its own address.
export const setUpMoving = (image) => {
  const address = image.src;
  let starts = 0;
  const start = async () => {
    const drawing = await (await fetch(address)).text();
    starts++;
    image.src = `data:image/svg+xml,${encodeURIComponent(`${drawing}<!-- ${starts} -->`)}`;
  };
  image.title = 'Click to play it again';
  image.onclick = start;
  const whenSeen = ([{ isIntersecting }], watch) => {
    if (!isIntersecting) return;
    watch.disconnect();
    start();
  };
  new IntersectionObserver(whenSeen, { threshold: 0.5 }).observe(image);
};
