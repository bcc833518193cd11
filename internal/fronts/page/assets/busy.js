// Long tasks, with one button to start and one to stop them.

// busy runs a task for a section and returns its result. It returns null if the task was stopped or failed, and the
// section then says so. What the section shows keeps at least its height until the end, so that nothing below moves up
// for a moment. doingWords returns the text during the task, stoppedWords the text for a stop. stop makes the task fail with the error 'stopped'.
export const busy = async (section, doingWords, stoppedWords, stop, task) => {
  const start = section.querySelector('.start'), stopping = section.querySelector('.stop'), doing = section.querySelector('.doing');
  if (start.disabled) return null;
  const shown = section.querySelector('.verdict, .shown');
  shown.style.minHeight = `${shown.getBoundingClientRect().height}px`;
  start.disabled = true;
  stopping.hidden = false;
  section.setAttribute('aria-busy', 'true');
  const slow = setTimeout(() => { doing.textContent = doingWords(); }, 150);
  stopping.onclick = stop;
  try {
    const result = await task();
    doing.textContent = '';
    return result;
  } catch (error) {
    doing.textContent = error.message === 'stopped' ? stoppedWords() : `This failed: ${error.message}`;
    return null;
  } finally {
    clearTimeout(slow);
    shown.style.minHeight = '';
    const left = document.activeElement === stopping;
    start.disabled = false;
    stopping.hidden = true;
    if (left) start.focus();
    section.removeAttribute('aria-busy');
  }
};
