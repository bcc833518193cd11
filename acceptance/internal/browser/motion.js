// Watches an element: the size that it has in each frame, and so how far it moves what is below it.
(element) => {
  const verdict = () => element.querySelector('[role="group"][aria-label]');
  const height = () => element.getBoundingClientRect().height;
  const old = verdict(), before = height();
  const motion = { began: null, last: null, first: null, before, lowest: before, after: before, moved: 0, still: 0 };
  let markup = element.innerHTML;
  globalThis.motion = motion;
  const begin = ({ timeStamp }) => { motion.began ??= timeStamp; };
  for (const kind of ['keydown', 'click']) addEventListener(kind, begin, { capture: true, once: true });
  const look = (now) => {
    if (globalThis.motion !== motion) return;
    const tall = height();
    motion.still++;
    if (tall !== motion.after || element.innerHTML !== markup) {
      motion.last = now;
      motion.still = 0;
    }
    motion.moved += Math.abs(tall - motion.after);
    motion.lowest = Math.min(motion.lowest, tall);
    motion.after = tall;
    markup = element.innerHTML;
    if (verdict() && verdict() !== old) motion.first ??= now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return true;
}
