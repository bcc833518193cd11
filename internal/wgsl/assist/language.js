// How CodeMirror reads WGSL: a stream parser, which colours and indents, and what may be folded. It imports nothing, so that
// JupyterLab's extension and the course's page can both hold it. The words of the language come from the Go front end.
const wgsl = (words) => {
  const set = (list) => new Set(list);
  const keywords = set(words.keywords), reserved = set(words.reserved), types = set(words.types);
  const functions = set(words.functions), enumerants = set(words.enumerants), inputs = set(words.builtinValues);
  const closing = { '(': ')', '[': ']', '{': '}' };
  const number = /^(?:0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[iufh]?/;
  const name = /^[\p{XID_Start}_]\p{XID_Continue}*/u;
  const operator = /^(?:->|<<=|>>=|<<|>>|&&|\|\||\+\+|--|[-+*/%&|^!=<>]=|[-+*/%&|^!=<>~])/;

  // comment reads on in a block comment; they nest.
  const comment = (stream, state) => {
    while (!stream.eol()) {
      if (stream.match('*/')) {
        if (--state.comment === 0) break;
      } else if (stream.match('/*')) {
        state.comment++;
      } else {
        stream.next();
      }
    }
    return 'comment';
  };

  // style says how a name is coloured, by the token before it and the character after it.
  const style = (word, stream, state) => {
    const called = stream.match(/^\s*\(/, false);
    if (state.last === '@') return 'attributeName';
    if (state.last === '.') return 'propertyName';
    if (state.asks && inputs.has(word)) return 'atom';
    if (state.angle && (state.last === '<' || state.last === ',') && enumerants.has(word)) return 'atom';
    if (word === 'true' || word === 'false') return 'bool';
    if (keywords.has(word)) return 'keyword';
    if (reserved.has(word)) return 'invalid';
    if (types.has(word)) return 'variableName.special';
    if (called && functions.has(word)) return 'variableName.standard';
    return 'variableName';
  };

  // bracket keeps count of what is open, and how far the line was indented where it was opened.
  const bracket = (character, state) => {
    if (closing[character]) {
      state.open.push({ close: closing[character], indent: state.indent });
    } else if (state.open.length > 0 && state.open[state.open.length - 1].close === character) {
      state.open.pop();
    }
    if (character === '(') state.asks = state.last === 'builtin';
    if (character === ')') state.asks = false;
  };

  const token = (stream, state) => {
    if (stream.sol()) {
      state.indent = stream.indentation();
      const magic = state.first && stream.match(/^%%.*/);
      state.first = false;
      if (magic) return 'operator'; // as JupyterLab shows magics in other languages
    }
    if (state.comment > 0) return comment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = 1;
      return comment(stream, state);
    }
    const start = stream.pos;
    const found = lexeme(stream, state);
    state.last = stream.string.slice(start, stream.pos);
    return found;
  };

  const lexeme = (stream, state) => {
    if (stream.match(number)) return 'number';
    const word = stream.match(name);
    if (word) return style(word[0], stream, state);
    if (stream.match(operator)) {
      const text = stream.current();
      // An address space, access mode or texel format appears only in these angle brackets.
      if (text === '<') state.angle = state.last === 'var' || state.last === 'ptr' || state.last.startsWith('texture_storage');
      if (text.startsWith('>')) state.angle = false;
      return 'operator';
    }
    const character = stream.next();
    if ('()[]{}'.includes(character)) bracket(character, state);
    return character === '@' ? 'attributeName' : null; // the rest is plain, as in Go cells
  };

  const parser = {
    name: 'wgsl',
    startState: () => ({ first: true, comment: 0, indent: 0, open: [], last: '', angle: false, asks: false }),
    copyState: (state) => ({ ...state, open: [...state.open] }),
    token,
    blankLine: (state) => { state.first = false; },
    indent: (state, after, context) => {
      if (state.comment > 0) return null;
      const inner = state.open[state.open.length - 1];
      if (!inner) return 0;
      return after.startsWith(inner.close) ? inner.indent : inner.indent + context.unit;
    },
    languageData: {
      commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
      closeBrackets: { brackets: ['(', '[', '{'] },
      indentOnInput: /^\s*[)\]}]$/,
    },
  };

  // fold is what may be folded on a line: from the last brace that it leaves open to the one that closes it.
  const fold = (language) => (state, from, to) => {
    const line = state.doc.sliceString(from, to).replace(/\/\/.*/, '');
    for (let i = line.lastIndexOf('{'); i >= 0; i = i > 0 ? line.lastIndexOf('{', i - 1) : -1) {
      const match = language.matchBrackets(state, from + i, 1);
      if (match?.matched && match.end.from > to) return { from: from + i + 1, to: match.end.from };
    }
    return null;
  };

  return { parser, fold };
};
