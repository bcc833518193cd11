// How the page speaks.

// element makes an element.
export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// spoken is a sentence of the judge's, of which what stands between backquotes is code.
export const spoken = (text) => text.split('`').map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));

// notice says something about the page as a whole, at its top.
export const notice = (...words) => document.getElementById('notice').replaceChildren(...words);
