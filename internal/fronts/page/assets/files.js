// The file system of a page's Go programs, in memory. It implements those parts of Node's fs
// that our programs need under js/wasm. A file is a path with bytes. A folder exists once a
// program has created it. The bytes of a file never change: a write replaces them.
'use strict';

class Files {
  #files = new Map([['/', null], ['/tmp', null], ['/work', null]]); // null: a folder
  #open = new Map(); // descriptor -> {path, at, append}
  #next = 3;
  #told = new Map(); // path -> bytes that takeChanged last returned

  // print receives what programs write to standard output (1) and standard error (2).
  constructor(print) {
    this.print = print;
    for (const [name, call] of Object.entries(this.#calls)) {
      this[name] = (...given) => {
        const callback = given.pop();
        let result;
        try {
          result = call(...given);
        } catch (error) {
          callback(error);
          return;
        }
        callback(null, result);
      };
    }
    const { open } = this;
    this.open = (path, ...given) => {
      this.#fetched(path).catch(() => {}).then(() => open(path, ...given)); // a failed fetch means that the file does not exist
    };
  }

  // fetched adds files that are fetched on first use, from the script's folder: those of
  // /course/.
  async #fetched(path) {
    path = Files.resolve(path);
    if (!path.startsWith('/course/') || this.#files.has(path)) return;
    const response = await fetch(path.slice('/course/'.length));
    if (response.ok) this.#files.set(path, new Uint8Array(await response.arrayBuffer()));
  }

  constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

  // writeSync receives the last output of Go's runtime, when a program panics.
  writeSync(descriptor, bytes) {
    this.print(descriptor, bytes);
    return bytes.length;
  }

  // put writes a file, given as text; null removes it.
  put(path, text) {
    path = Files.resolve(path);
    if (text === null) {
      this.#files.delete(path);
      this.#told.delete(path);
      return;
    }
    this.#files.set(path, new TextEncoder().encode(text));
    this.#told.set(path, this.#files.get(path));
  }

  // takeChanged returns the files of the folder work/ that changed since the last call:
  // their text by path, or null for a removed file.
  takeChanged() {
    const texts = {};
    for (const path of new Set([...this.#files.keys(), ...this.#told.keys()])) {
      const bytes = this.#files.get(path);
      if (!path.startsWith('/work/') || bytes === null || bytes === this.#told.get(path)) continue;
      texts[path.slice(1)] = bytes ? new TextDecoder().decode(bytes) : null;
      if (bytes) this.#told.set(path, bytes);
      else this.#told.delete(path);
    }
    return texts;
  }

  static resolve(path) {
    const parts = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return '/' + parts.join('/');
  }

  static #fail(code) {
    const error = new Error(code);
    error.code = code;
    throw error;
  }

  static #folderOf(path) {
    return path.slice(0, path.lastIndexOf('/')) || '/';
  }

  #set(path, bytes) {
    if (this.#files.get(Files.#folderOf(path)) !== null) Files.#fail('ENOENT');
    this.#files.set(path, bytes);
  }

  #bytes(path) {
    const bytes = this.#files.get(path);
    if (bytes === undefined) Files.#fail('ENOENT');
    if (bytes === null) Files.#fail('EISDIR');
    return bytes;
  }

  #opened(descriptor) {
    return this.#open.get(descriptor) ?? Files.#fail('EBADF');
  }

  #stat(path) {
    const bytes = this.#files.get(path);
    if (bytes === undefined) Files.#fail('ENOENT');
    const folder = bytes === null;
    return {
      dev: 1, ino: 0, mode: folder ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size: folder ? 0 : bytes.length, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
      isDirectory: () => folder,
    };
  }

  #remove(path) {
    if (!this.#files.delete(path)) Files.#fail('ENOENT');
  }

  #calls = {
    open: (path, flags) => {
      path = Files.resolve(path);
      const { O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = this.constants;
      const there = this.#files.has(path);
      if (there && flags & O_CREAT && flags & O_EXCL) Files.#fail('EEXIST');
      if (!there && !(flags & O_CREAT)) Files.#fail('ENOENT');
      if (!there || flags & O_TRUNC) this.#set(path, new Uint8Array(0));
      const descriptor = this.#next++;
      this.#open.set(descriptor, { path, at: 0, append: Boolean(flags & O_APPEND) });
      return descriptor;
    },
    close: (descriptor) => {
      if (!this.#open.delete(descriptor)) Files.#fail('EBADF');
    },
    read: (descriptor, buffer, offset, length, position) => {
      const file = this.#opened(descriptor);
      const from = position ?? file.at;
      const part = this.#bytes(file.path).subarray(from, from + length);
      buffer.set(part, offset);
      if (position === null) file.at += part.length;
      return part.length;
    },
    write: (descriptor, buffer, offset, length, position) => {
      const part = buffer.subarray(offset, offset + length);
      if (descriptor === 1 || descriptor === 2) {
        this.print(descriptor, part);
        return length;
      }
      const file = this.#opened(descriptor);
      const before = this.#bytes(file.path);
      const from = file.append ? before.length : position ?? file.at;
      const bytes = new Uint8Array(Math.max(before.length, from + length));
      bytes.set(before);
      bytes.set(part, from);
      this.#set(file.path, bytes);
      if (position === null) file.at = from + length;
      return length;
    },
    fstat: (descriptor) => this.#stat(this.#opened(descriptor).path),
    stat: (path) => this.#stat(Files.resolve(path)),
    lstat: (path) => this.#stat(Files.resolve(path)),
    readdir: (path) => {
      const folder = Files.resolve(path);
      if (this.#files.get(folder) !== null) Files.#fail('ENOTDIR');
      return [...this.#files.keys()].filter((p) => p !== '/' && Files.#folderOf(p) === folder).map((p) => p.slice(p.lastIndexOf('/') + 1));
    },
    mkdir: (path) => {
      path = Files.resolve(path);
      if (this.#files.has(path)) Files.#fail('EEXIST');
      this.#set(path, null);
    },
    rename: (from, to) => {
      [from, to] = [Files.resolve(from), Files.resolve(to)];
      const bytes = this.#bytes(from);
      this.#remove(from);
      this.#set(to, bytes);
    },
    unlink: (path) => this.#remove(Files.resolve(path)),
    rmdir: (path) => this.#remove(Files.resolve(path)),
    ftruncate: (descriptor, length) => {
      const { path } = this.#opened(descriptor);
      const bytes = new Uint8Array(length);
      bytes.set(this.#bytes(path).subarray(0, length));
      this.#set(path, bytes);
    },
    fsync: () => {},
    chmod: () => {},
    fchmod: () => {},
    utimes: () => {},
  };
}
