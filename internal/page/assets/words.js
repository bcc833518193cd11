// Helpers for the page's text.

// element creates an element.
export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// spoken formats a sentence of the judge; text between backquotes becomes code.
export const spoken = (text) => text.split('`').map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));

// notice shows a message about the whole page, at its top.
export const notice = (...words) => document.getElementById('notice').replaceChildren(...words);
