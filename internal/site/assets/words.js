// How the page speaks.

// element makes an element.
export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// notice says something about the page as a whole, at its top.
export const notice = (...words) => document.getElementById('notice').replaceChildren(...words);
