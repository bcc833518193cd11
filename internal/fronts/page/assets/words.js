// Helpers for the page's text.

// element creates an element.
export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// spoken formats a sentence of the judge; text between backquotes becomes code.
export const spoken = (text) => text.split('`').map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));

// copyText puts a text on the clipboard, also where the browser has no navigator.clipboard: on pages without TLS.
export const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const focused = document.activeElement, field = document.body.appendChild(element('textarea', { value: text }));
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    focused?.focus();
    if (!done) throw new Error('the browser doesn’t allow it');
  }
};

// notice shows a message about the whole page, at its top.
export const notice = (...words) => document.getElementById('notice').replaceChildren(...words);
