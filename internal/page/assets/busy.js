// What runs for a while, with a button that starts it and one that stops it.

// busy does a task for a section, and gives what it came to; null where it was stopped or did not work, and the section
// says so, in words that stoppedWords gives then. stop makes the task fail with the error 'stopped'.
export const busy = async (section, doingWords, stoppedWords, stop, task) => {
  const start = section.querySelector('.start'), stopping = section.querySelector('.stop'), doing = section.querySelector('.doing');
  if (start.disabled) return null;
  start.disabled = true;
  stopping.hidden = false;
  section.setAttribute('aria-busy', 'true');
  const slow = setTimeout(() => { doing.textContent = doingWords; }, 150);
  stopping.onclick = stop;
  try {
    const result = await task();
    doing.textContent = '';
    return result;
  } catch (error) {
    doing.textContent = error.message === 'stopped' ? stoppedWords() : `That did not work: ${error.message}`;
    return null;
  } finally {
    clearTimeout(slow);
    const left = document.activeElement === stopping;
    start.disabled = false;
    stopping.hidden = true;
    if (left) start.focus();
    section.removeAttribute('aria-busy');
  }
};
