// The page: a drawing sheet and the network's answer. The backend decides which
// network runs, and where:
//
//   backend = {
//     label:   a text that says where it runs,
//     kernels: [{name, own}]; own is true for the learner's,
//     owner:   how the page names the learner's kernels, such as 'yours',
//     frames:  true if the learner's kernels frame a drawing, and not the page,
//     sign:    the name of an eleventh class; '' if the network reads only digits,
//     classify({src, image, framing, off}) -> Promise<{
//       pixels: 784 values from 0 to 1, probabilities: a value for each class,
//       passes: [{name, milliseconds | null}],
//       box: left, top, right and bottom of the ink, if kernels framed the drawing,
//       beside: {probabilities, layers: [{title, side, values}]}, if another network reads beside
//         it; values are bytes, the pictures of a layer one after the other, and 128 is 0,
//       attends: {probabilities, looks}, if the network that attends reads; looks has bytes for each
//         layer: for each head 16 rows, how much a patch looks at each of the 16,
//     }>,
//     beside:  true if another network reads beside it,
//     attends: true if the network that attends reads, too,
//     why({pixels, digit, beside}) -> Promise<{title, heat, steps: [{title, code, body}]}>, if the
//       backend can say which pixels counted for a probability: heat has a byte for each pixel, and 128 is 0,
//     teach({name, images}, report) -> Promise, if the network can learn a sign: images are ten
//       drawings of 784 bytes in base64, and report takes {done, steps, loss} again and again.
//
// framing is true for an image that the backend has to frame. off says which heads are off: a
// character for each, layer after layer, of which 1 is off.
//   }

import { PEN, SIDE, bytes, frame } from './frame.js';

/** data is what the page was made with; samples is for start, the rest is the
 * backend's. */
export const data = JSON.parse(document.getElementById('data').textContent);

const LIVE_GAP = 40; // milliseconds between requests while drawing
const SPEAK_AFTER = 700; // milliseconds of rest before the answer is announced
const NEAR = 0.003; // points closer together than this, in canvas units, are merged
const SURE = 0.6; // a lower probability counts as a guess
const SAMPLE_MS = 420; // how long the drawing of a sample takes
const LAYERS = 2, HEADS = 4; // of the network that attends
const ACROSS = 4, PATCH = SIDE / ACROSS; // patches side by side, and the pixels of one
const EXAMPLES = 10; // drawings of a sign

const FRAMINGS = {
  centred: 'Crops the digit, scales it to 20 × 20 pixels, and centres it by its centre of mass.',
  drawn: 'Shrinks the whole sheet: the digit keeps its place and relative size.',
  own: 'Your ink-box finds the ink. Your frame scales it to 20 × 20 pixels, and centres it by its centre of mass.',
};

/** start makes the page in root work. */
export function start(root, backend) {
  const at = Object.fromEntries([...root.querySelectorAll('[data-at]')].map((e) => [e.dataset.at, e]));
  const answer = showAnswers(root, at, backend);
  const asking = makeAsker(backend, answer, () => framing());
  const sheet = makeSheet(root, at, asking);
  answer.onchange(() => asking.now(sheet.strokes()));
  const framing = () => root.querySelector('input[name=framing]:checked').value;

  for (const radio of root.querySelectorAll('input[name=framing]')) {
    radio.addEventListener('change', () => {
      answer.framing(framing());
      asking.now(sheet.strokes());
    });
  }
  answer.framing(framing());
  at.label.textContent = backend.label;
  makeSamples(at.samples, sheet);
  if (backend.teach) makeLesson(at, backend, answer, sheet, () => backend.classify(prepared(sheet.strokes(), framing(), backend)));
  followTheme();
  tellHeight(root);
  // A first hidden request starts the device, and reports what will run.
  backend.classify(prepared(data.samples[0][0], 'centred', backend)).then((read) => answer.passes(read.passes), (error) => answer.problem(error));
}

// makeSheet makes the canvas with its strokes, undo and clear. It sends requests
// during a stroke and at its end.
function makeSheet(root, at, asking) {
  const { canvas } = at;
  const context = canvas.getContext('2d');
  const earlier = []; // the states for undo
  let strokes = [];
  let pointer = null; // the pointer that draws
  let playing = 0; // the sample in progress
  let waiting = false; // for the next frame
  let told = () => {}; // whoever wants to know of changes

  const paint = () => {
    waiting = false;
    const side = Math.round(canvas.clientWidth * devicePixelRatio);
    if (canvas.width !== side) canvas.width = canvas.height = side;
    context.clearRect(0, 0, side, side);
    context.strokeStyle = getComputedStyle(canvas).color;
    context.lineWidth = PEN * side;
    context.lineCap = context.lineJoin = 'round';
    for (const stroke of strokes) {
      context.beginPath();
      context.moveTo(stroke[0][0] * side, stroke[0][1] * side);
      for (const [x, y] of stroke) context.lineTo(x * side, y * side);
      context.stroke();
    }
  };
  const changed = () => {
    at.hint.style.opacity = strokes.length ? 0 : 1;
    at.clear.disabled = !strokes.length;
    at.undo.disabled = !earlier.length;
    if (!waiting) requestAnimationFrame(paint);
    waiting = true;
    told();
  };
  const remember = () => {
    cancelAnimationFrame(playing);
    root.removeAttribute('data-drawing');
    earlier.push(strokes);
  };
  const finish = (since) => {
    root.removeAttribute('data-drawing');
    asking.now(strokes, since);
  };

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const within = (v) => Math.min(1, Math.max(0, v));
    return [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
  };
  const extend = (event) => {
    const stroke = strokes.at(-1);
    const [x, y] = point(event);
    const [lastX, lastY] = stroke.at(-1);
    if (Math.hypot(x - lastX, y - lastY) >= NEAR) stroke.push([x, y]);
  };
  const lift = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    finish(event.timeStamp);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (pointer !== null || event.button !== 0) return;
    event.preventDefault();
    pointer = event.pointerId;
    canvas.setPointerCapture(pointer);
    remember();
    strokes = [...strokes, [point(event)]];
    root.setAttribute('data-drawing', '');
    changed();
    asking.soon(strokes);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return;
    const all = event.getCoalescedEvents?.() ?? []; // not over plain HTTP
    for (const each of all.length ? all : [event]) extend(each);
    changed();
    asking.soon(strokes);
  });
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener('lostpointercapture', lift);

  const replace = (next) => {
    strokes = next;
    changed();
    asking.now(strokes);
  };
  const undo = () => {
    if (pointer !== null || !earlier.length) return;
    const before = earlier.pop();
    cancelAnimationFrame(playing);
    replace(before);
  };
  // A button that disables itself must pass the keyboard focus on.
  at.undo.addEventListener('click', () => {
    undo();
    if (at.undo.disabled) at.samples.firstElementChild.focus();
  });
  const clear = () => {
    remember();
    replace([]);
  };
  at.clear.addEventListener('click', () => {
    clear();
    at.undo.focus();
  });
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z') {
      event.preventDefault();
      undo();
    }
  });
  new ResizeObserver(changed).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  new MutationObserver(changed).observe(document.documentElement, { attributes: true });

  // play draws a sample stroke by stroke, or at once if the visitor prefers no motion.
  const play = (sample) => {
    if (pointer !== null) return;
    remember();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const total = sample.reduce((sum, stroke) => sum + stroke.length, 0);
    const began = performance.now();
    const step = (now) => {
      const share = still ? 1 : Math.min(1, Math.max(0, now - began) / SAMPLE_MS);
      strokes = firstPoints(sample, Math.ceil(total * share));
      changed();
      if (share === 1) return finish();
      root.setAttribute('data-drawing', '');
      asking.soon(strokes);
      playing = requestAnimationFrame(step);
    };
    step(began);
  };
  return { strokes: () => strokes, play, clear, onchange: (how) => { told = how; } };
}

// firstPoints returns the first n points of some strokes.
function firstPoints(strokes, n) {
  const first = [];
  for (const stroke of strokes) {
    if (n <= 0) break;
    first.push(stroke.slice(0, n));
    n -= stroke.length;
  }
  return first;
}

// prepared returns what the backend takes: the image of a drawing, framed unless the backend does so.
function prepared(strokes, kind, backend) {
  const centred = kind === 'centred';
  const framing = centred && backend.frames === true;
  return { ...frame(strokes, { centred: centred && !framing }), framing };
}

// makeAsker runs one request at a time. Afterwards it sends the newest drawing, and
// skips those in between. During a stroke it sends a request at intervals; the end
// of a stroke sends one at once.
function makeAsker(backend, answer, framing) {
  let next = null; // {strokes, since}
  let busy = false;
  let last = -LIVE_GAP;
  let timer = 0;

  const ask = async () => {
    busy = true;
    answer.busy(true);
    while (next) {
      const { strokes, since } = next;
      next = null;
      last = performance.now();
      if (!strokes.length) {
        answer.nothing();
        continue;
      }
      try {
        const read = await backend.classify({ ...prepared(strokes, framing(), backend), off: answer.off() });
        if (!next || next.strokes.length) answer.show(read, since);
      } catch (error) {
        answer.problem(error);
      }
    }
    busy = false;
    answer.busy(false);
  };
  const now = (strokes, since) => {
    clearTimeout(timer);
    timer = 0;
    next = { strokes, since };
    if (!busy) ask();
  };
  const soon = (strokes) => {
    if (timer) return;
    const wait = Math.max(0, last + LIVE_GAP - performance.now());
    timer = setTimeout(() => now(strokes), wait);
  };
  return { now, soon };
}

// showAnswers shows the network's answer on the page, and announces it to screen
// readers once the drawing rests.
function showAnswers(root, at, backend) {
  const own = new Map(backend.kernels.map((kernel) => [kernel.name, kernel.own]));
  const names = [...'0123456789', ...(backend.sign ? [backend.sign] : [])];
  const why = backend.why ? showWhy(at, backend) : null;
  const bars = names.map((name, i) => bar(at.bars, name, why && (() => why.ask(i, false))));
  const beside = backend.beside ? showBeside(at, own, backend.owner, why) : null;
  const attends = backend.attends ? showAttention(at, own, backend.owner) : null;
  const seen = at.seen.getContext('2d');
  const picture = seen.createImageData(SIDE, SIDE);
  let speaking = 0;
  at['passes-title'].textContent = whose(backend);
  const knows = (sign) => { at.hint.textContent = sign ? `Draw here: 0 to 9, or ${sign}` : 'Draw here: 0 to 9'; };
  knows(backend.sign);

  const say = (text) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      if (!root.hasAttribute('data-drawing')) at.spoken.textContent = text;
    }, SPEAK_AFTER);
  };
  const look = (pixels) => {
    for (let i = 0; i < pixels.length; i++) {
      picture.data.fill(Math.round(255 * pixels[i]), 4 * i, 4 * i + 3);
      picture.data[4 * i + 3] = 255;
    }
    seen.putImageData(picture, 0, 0);
  };
  const fill = (probabilities, best) => {
    probabilities.forEach((p, i) => bars[i](p, i === best));
  };
  const passes = (list) => {
    at.passes.replaceChildren(...list.map((pass) => passItem(pass, own, backend.owner)));
  };

  return {
    passes,
    // off says which heads are switched off, and onchange calls back when that changes.
    off: () => attends?.off() ?? '',
    onchange: (how) => attends?.onchange(how),
    // learned adds the bar of a sign.
    learned(sign) {
      if (names.length > 10) at.bars.lastElementChild.remove();
      names[10] = sign;
      knows(sign);
      bars[10] = bar(at.bars, sign, why && (() => why.ask(10, false)));
    },
    busy(is) {
      at.answer.setAttribute('aria-busy', is);
    },
    framing(kind) {
      at.framing.textContent = FRAMINGS[kind === 'centred' && backend.frames ? 'own' : kind];
      at.frame.toggleAttribute('data-whole', kind !== 'centred');
    },
    nothing() {
      at.digit.textContent = '?';
      at.digit.setAttribute('data-empty', '');
      at.sure.textContent = 'You haven’t drawn anything yet.';
      at.took.textContent = '';
      look(new Float32Array(SIDE * SIDE));
      fill(new Float32Array(names.length), -1);
      beside?.nothing();
      attends?.nothing();
      why?.about(null);
      say('The sheet is empty.');
    },
    show(read, since) {
      const order = [...read.probabilities.keys()].sort((a, b) => read.probabilities[b] - read.probabilities[a]);
      const [best, second] = order;
      const text = verdict(names[best], names[second], read.probabilities[best]);
      at.problem.textContent = '';
      at.digit.textContent = names[best];
      at.digit.removeAttribute('data-empty');
      at.digit.toggleAttribute('data-unsure', read.probabilities[best] < SURE);
      at.sure.textContent = text;
      look(read.pixels);
      why?.about(read.pixels);
      fill(read.probabilities, best);
      passes(read.passes);
      if (read.box) at.framing.textContent = steps(read.box);
      if (read.beside) beside?.show(read.beside);
      if (read.attends) attends?.show(read.attends, read.pixels);
      if (since !== undefined) took(at.took, since);
      say(`Read as ${names[best]}. ${text}${besides(read)}`);
    },
    problem(error) {
      at.problem.textContent = error.message;
    },
  };
}

// besides says what the other networks read.
function besides({ beside, attends }) {
  const filters = beside ? ` The network with filters reads ${most(beside.probabilities)}.` : '';
  return attends ? `${filters} The network that attends reads ${most(attends.probabilities)}.` : filters;
}

// reading shows a network's answer at NAME-digit, NAME-sure and NAME-bars. A click on a probability asks
// for the reason, if ask is given.
function reading(at, name, ask) {
  const bars = [...'0123456789'].map((digit, i) => bar(at[`${name}-bars`], digit, ask && (() => ask(i))));
  const digit = at[`${name}-digit`], sure = at[`${name}-sure`];
  return {
    nothing() {
      digit.textContent = '?';
      digit.setAttribute('data-empty', '');
      sure.textContent = '';
      bars.forEach((set) => set(0, false));
    },
    show(probabilities) {
      const best = most(probabilities);
      const others = probabilities.map((p, i) => (i === best ? -1 : p));
      digit.textContent = best;
      digit.removeAttribute('data-empty');
      digit.toggleAttribute('data-unsure', probabilities[best] < SURE);
      sure.textContent = verdict(best, most(others), probabilities[best]);
      probabilities.forEach((p, i) => bars[i](p, i === best));
    },
  };
}

// showBeside shows what another network reads of the same drawing, and what its filters see.
function showBeside(at, own, owner, why) {
  const answer = reading(at, 'beside', why && ((digit) => why.ask(digit, true)));
  const layers = [];
  const by = (name) => `${name} is ${own.get(name) ? owner : 'the reference'}`;
  at['beside-whose'].textContent = `${by('conv-2d')}, ${by('max-pool')}. The other kernels are those of the plain network.`;
  at.beside.hidden = false;
  return {
    nothing() {
      answer.nothing();
      layers.forEach((layer) => layer.clear());
    },
    show({ probabilities, layers: found }) {
      answer.show(probabilities);
      found.forEach((layer, i) => {
        layers[i] ??= layerOf(at.layers, layer);
        layers[i].paint(layer.values);
      });
    },
  };
}

// showWhy shows which pixels of the drawing counted for a probability, and the way back to them.
function showWhy(at, backend) {
  const context = at['why-heat'].getContext('2d');
  let pixels = null; // of the last drawing
  let turn = 0; // a newer question or drawing makes an older answer useless
  at['why-hint'].hidden = false;
  const show = ({ title, heat, steps: told }) => {
    at['why-title'].textContent = title;
    const picture = context.createImageData(SIDE, SIDE);
    heat.forEach((byte, p) => picture.data.set(shade(byte), 4 * p));
    context.putImageData(picture, 0, 0);
    at['why-steps'].replaceChildren(...told.map((step) => {
      const item = element('li');
      item.append(element('b', '', step.title), element('pre', '', step.code.join('\n')), ...step.body.map((line) => element('p', '', line)));
      return item;
    }));
    at['why-answer'].hidden = false;
  };
  return {
    // about forgets the answer about an earlier drawing.
    about(now) {
      turn++;
      pixels = now;
      at.why.hidden = true;
    },
    async ask(digit, beside) {
      if (!pixels) return;
      const mine = ++turn;
      at['why-title'].textContent = 'Your kernels run in the simulator, again and again …';
      at['why-answer'].hidden = true;
      at.why.hidden = false;
      try {
        const reason = await backend.why({ pixels, digit, beside });
        if (mine === turn) show(reason);
      } catch (error) {
        if (mine === turn) at['why-title'].textContent = error.message;
      }
    },
  };
}

// showAttention shows what the network that attends reads. For the patch that is chosen, each head shows
// where it looks; a press on a head switches it off or on.
function showAttention(at, own, owner) {
  const answer = reading(at, 'attends');
  const named = (owns) => ['patches', 'layer-norm', 'scores', 'mix', 'gelu'].filter((name) => own.get(name) === owns).join(', ') || 'none';
  at['attends-whose'].textContent = `Kernels that are ${owner}: ${named(true)}. From the reference: ${named(false)}. The others are those of the plain network.`;
  at.attends.hidden = false;
  const digit = pictureOf(SIDE); // in the colour of ink, to lay over the others
  const whole = pictureOf(SIDE);
  const patches = makePatches(at.patches, whole.canvas, () => paint());
  const heads = makeHeads(at.heads, () => changed());
  let changed = () => {};
  let seen = null; // {looks, pixels}

  const paint = () => {
    if (!seen) return;
    inked(digit, seen.pixels, getComputedStyle(at.attends).color);
    whole.clear();
    whole.context.drawImage(digit.canvas, 0, 0);
    heads.forEach(({ show }, i) => {
      const start = ((i % HEADS) * ACROSS * ACROSS + patches.chosen()) * ACROSS * ACROSS;
      show(seen.looks[Math.floor(i / HEADS)].subarray(start, start + ACROSS * ACROSS), patches.chosen(), digit.canvas);
    });
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  new MutationObserver(paint).observe(document.documentElement, { attributes: true });
  return {
    off: () => heads.map(({ on }) => (on() ? '0' : '1')).join(''),
    onchange: (how) => { changed = how; },
    nothing() {
      answer.nothing();
      seen = null;
      whole.clear();
      heads.forEach(({ clear }) => clear());
    },
    show({ probabilities, looks }, pixels) {
      answer.show(probabilities);
      seen = { looks, pixels };
      paint();
    },
  };
}

// pictureOf makes a square canvas.
function pictureOf(side) {
  const canvas = element('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  return { canvas, context, clear: () => context.clearRect(0, 0, side, side) };
}

// inked draws pixels from 0 to 1 in one colour, over nothing.
function inked({ context, clear }, pixels, colour) {
  clear();
  context.fillStyle = colour;
  pixels.forEach((value, i) => {
    context.globalAlpha = value;
    context.fillRect(i % SIDE, Math.floor(i / SIDE), 1, 1);
  });
  context.globalAlpha = 1;
}

const place = (patch) => `row ${Math.floor(patch / ACROSS) + 1}, column ${(patch % ACROSS) + 1}`;

// makePatches lays 16 buttons over a picture. One of them is chosen: by pointing at it, by a tap, or by
// the arrow keys.
function makePatches(list, canvas, chose) {
  let chosen = 5;
  const buttons = Array.from({ length: ACROSS * ACROSS }, (_, patch) => {
    const button = element('button');
    button.type = 'button';
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-label', `Patch in ${place(patch)}`);
    const choose = () => {
      chosen = patch;
      update();
      chose();
    };
    for (const event of ['pointerenter', 'focus', 'click']) button.addEventListener(event, choose);
    return button;
  });
  const update = () => buttons.forEach((button, patch) => {
    button.setAttribute('aria-checked', patch === chosen);
    button.tabIndex = patch === chosen ? 0 : -1;
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ACROSS, ArrowDown: ACROSS }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(chosen + step + buttons.length) % buttons.length].focus();
  });
  update();
  list.append(canvas, ...buttons);
  return { chosen: () => chosen };
}

// makeHeads adds a button for each head, with a picture of where it looks.
function makeHeads(list, changed) {
  return Array.from({ length: LAYERS }, (_, layer) => {
    const figure = element('figure');
    const row = element('div', 'heads');
    figure.append(element('figcaption', '', `Layer ${layer + 1}`), row);
    list.append(figure);
    return Array.from({ length: HEADS }, (_, head) => {
      const button = element('button');
      const { canvas, context, clear } = pictureOf(SIDE);
      const name = `Layer ${layer + 1}, head ${head + 1}`;
      button.type = 'button';
      button.setAttribute('aria-pressed', true);
      button.setAttribute('aria-label', name);
      button.append(canvas, `Head ${head + 1}`);
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', button.ariaPressed !== 'true');
        changed();
      });
      row.append(button);
      return {
        on: () => button.ariaPressed === 'true',
        clear,
        // show paints how much a patch looks at each, from white to orange, under the digit.
        show(looks, patch, digit) {
          const best = most(looks);
          clear();
          looks.forEach((share, i) => {
            const strength = Math.round(100 * share / Math.max(1, looks[best]));
            context.fillStyle = `rgb(222 104 24 / ${strength}%)`;
            context.fillRect((i % ACROSS) * PATCH, Math.floor(i / ACROSS) * PATCH, PATCH, PATCH);
          });
          context.globalAlpha = 0.55;
          context.drawImage(digit, 0, 0);
          context.globalAlpha = 1;
          button.setAttribute('aria-label', `${name}: ${place(patch)} looks most at ${place(best)}, ${Math.round(looks[best] / 2.55)} %`);
        },
      };
    });
  }).flat();
}

// layerOf adds a row of pictures for a layer: orange where a filter fits, blue where its opposite does.
function layerOf(place, { title, side, values }) {
  const figure = element('figure');
  const caption = element('figcaption', '', title);
  const list = element('div', 'pictures');
  const contexts = Array.from({ length: values.length / (side * side) }, () => {
    const canvas = element('canvas');
    canvas.width = canvas.height = side;
    list.append(canvas);
    return canvas.getContext('2d');
  });
  list.setAttribute('role', 'img');
  list.setAttribute('aria-label', title);
  figure.append(caption, list);
  place.append(figure);
  return {
    paint(all) {
      contexts.forEach((context, i) => {
        const picture = context.createImageData(side, side);
        all.subarray(i * side * side, (i + 1) * side * side).forEach((byte, p) => picture.data.set(shade(byte), 4 * p));
        context.putImageData(picture, 0, 0);
      });
    },
    clear() {
      contexts.forEach((context) => context.clearRect(0, 0, side, side));
    },
  };
}

// shade is the colour of a byte: 128 shows the paper.
function shade(byte) {
  const strength = Math.min(255, 2 * Math.abs(byte - 128));
  return byte > 128 ? [222, 104, 24, strength] : [47, 111, 179, strength];
}

// most is the place of the largest value.
function most(values) {
  return values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
}

// makeLesson lets the network learn a sign: it collects drawings, hands them over, and tells how far
// the training is. look returns what the network sees of the drawing.
function makeLesson(at, backend, answer, sheet, look) {
  const images = []; // in base64
  let busy = false;
  const say = (text) => { at.lesson.textContent = text; };
  const update = () => {
    const named = at.sign.value.trim() !== '', full = images.length === EXAMPLES;
    at.sign.disabled = busy;
    at.keep.disabled = busy || full || !sheet.strokes().length;
    at.learn.disabled = busy || !full || !named;
    at.keep.textContent = full ? 'Ten are kept' : `Keep drawing ${images.length + 1} of ${EXAMPLES}`;
    if (full && !named) say('Give your sign a name.');
  };
  const thumbnail = (pixels) => {
    const canvas = element('canvas');
    canvas.width = canvas.height = SIDE;
    const context = canvas.getContext('2d');
    const picture = context.createImageData(SIDE, SIDE);
    pixels.forEach((value, i) => picture.data.set([value, value, value, 255], 4 * i));
    context.putImageData(picture, 0, 0);
    const item = element('li');
    item.append(canvas);
    at.examples.append(item);
  };
  // working runs something that takes a while, and shows why it failed.
  const working = async (work) => {
    busy = true;
    update();
    await work().catch((error) => say(error.message));
    busy = false;
    update();
  };
  at.keep.addEventListener('click', () => working(async () => {
    const { pixels } = await look();
    const image = bytes(pixels);
    images.push(btoa(String.fromCharCode(...image)));
    thumbnail(image);
    sheet.clear();
  }));
  at.learn.addEventListener('click', () => working(async () => {
    const name = at.sign.value.trim();
    say('It begins …');
    await backend.teach({ name, images }, ({ done, steps, loss }) => say(`Step ${done} of ${steps}; the loss is ${loss?.toFixed(3)}.`));
    answer.learned(name);
    say(`It has learned ${name}. Draw a fresh one, and then a digit.`);
  }));
  at.sign.addEventListener('input', () => {
    say('');
    update();
  });
  at.teach.hidden = false;
  sheet.onchange(update);
  update();
}

// steps says what the learner's kernels made of a drawing.
function steps([left, top, right, bottom]) {
  const wide = right - left + 1, high = bottom - top + 1, side = Math.max(wide, high);
  const scaled = (length) => Math.ceil((20 * length) / side - 1e-9);
  return `Your ink-box found columns ${left} to ${right} and rows ${top} to ${bottom}. Your frame scaled them to ${scaled(wide)} × ${scaled(high)} pixels, and centred the ink.`;
}

// took shows the time since the pen went up, and adds it to the browser's own
// measurements.
function took(place, since) {
  performance.clearMeasures('answer');
  const { duration } = performance.measure('answer', { start: since, end: performance.now() });
  place.textContent = `${duration.toFixed(0)} ms from pen up to answer`;
}

function verdict(best, second, p) {
  if (p < SURE) return `Perhaps ${best}, perhaps ${second}.`;
  return p >= 0.995 ? 'More than 99 % sure.' : `${Math.round(100 * p)} % sure.`;
}

// bar adds the bar of one class, and returns a function that sets its height. ask is called when the
// visitor wants to know why.
function bar(list, label, ask) {
  const item = element('li');
  const percent = element('span', 'percent');
  const track = element('span', 'track');
  const fill = element('span', 'fill');
  const name = element('b', '', label);
  track.append(fill);
  item.append(percent, track, name);
  if (ask) {
    const button = element('button', 'ask');
    button.type = 'button';
    button.title = `Why ${label}?`;
    button.setAttribute('aria-label', button.title);
    button.addEventListener('click', ask);
    item.append(button);
  }
  list.append(item);
  return (p, best) => {
    fill.style.transform = `scaleY(${p})`;
    percent.textContent = p >= 0.01 ? Math.round(100 * p) : '';
    item.toggleAttribute('data-best', best);
  };
}

function passItem(pass, own, owner) {
  const item = element('li');
  item.append(element('code', '', pass.name));
  item.append(element('span', 'time', milliseconds(pass.milliseconds)));
  if (own.has(pass.name)) {
    item.toggleAttribute('data-own', own.get(pass.name));
    item.append(element('span', 'whose', own.get(pass.name) ? owner : 'reference'));
  }
  return item;
}

function milliseconds(value) {
  if (value === null) return 'not timed';
  if (value < 0.0005) return 'too short'; // browsers count in steps of 0.1 ms
  const rounded = Number(value.toPrecision(2));
  return `${rounded.toFixed(rounded < 0.1 ? 3 : 2)} ms`;
}

// whose says in one line which kernels are the learner's.
function whose({ kernels, owner }) {
  const own = kernels.filter((kernel) => kernel.own).length;
  if (!kernels.length) return 'The passes';
  if (!own) return 'The passes: for now every kernel is the reference';
  if (own === kernels.length) return `The passes: every kernel is ${owner}`;
  return `The passes: ${own} of ${kernels.length} kernels are ${owner}`;
}

// makeSamples adds a button for each digit. Another press draws another handwriting.
function makeSamples(place, sheet) {
  data.samples.forEach((hands, digit) => {
    const button = element('button', '', digit);
    let turn = 0;
    button.type = 'button';
    button.setAttribute('aria-label', `Draw a sample ${digit}`);
    button.addEventListener('click', () => sheet.play(hands[turn++ % hands.length]));
    place.append(button);
  });
}

// followTheme takes the theme from the address, and from a page that embeds this
// one.
function followTheme() {
  const set = (theme) => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  };
  set(new URLSearchParams(location.search).get('theme'));
  addEventListener('message', (event) => set(event.data?.wgslabTheme));
}

// tellHeight tells a page that embeds this one how much room it needs. That page
// already has a title.
function tellHeight(root) {
  if (parent === window) return;
  document.documentElement.toggleAttribute('data-framed', true);
  new ResizeObserver(() => parent.postMessage({ wgslabHeight: Math.ceil(root.getBoundingClientRect().height) }, '*')).observe(root);
}

function element(name, className = '', text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
