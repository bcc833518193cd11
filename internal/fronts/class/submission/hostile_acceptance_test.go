//go:build acceptance

package submission

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/hostile anew")

// want is the expected result of a hostile submission.
type want struct {
	Shaders  map[string]string `json:"shaders"` // how each starts
	Problems []string          `json:"problems"`
}

// An entry is one entry of a zip, however odd.
type entry struct {
	name   string
	data   []byte
	change func(*zip.FileHeader)
	raw    bool // data is written unchanged, with the header from change
}

func odd(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		create := w.CreateHeader
		if e.raw {
			h.Method, h.CRC32 = zip.Store, crc32.ChecksumIEEE(e.data)
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(e.data)), uint64(len(e.data))
			create = w.CreateRaw
		}
		if e.change != nil {
			e.change(h)
		}
		f, err := create(h)
		require.NoError(t, err)
		_, err = f.Write(e.data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func mode(m fs.FileMode) func(*zip.FileHeader) {
	return func(h *zip.FileHeader) { h.SetMode(m) }
}

// hostile returns the submissions of testdata/hostile, each the file of one student, mallory. Most
// contain one good notebook, good, and something else.
func hostile(t testing.TB) map[string]tree {
	t.Helper()
	bad := solved(t, "mallory's trick", "relu")
	good := entry{name: "02-add.ipynb", data: solved(t, "mallory", "add")}
	code := func(sources ...string) tree { return tree{"mallory.ipynb": []byte(cellsOf(sources...))} }
	file := func(content string) tree { return tree{"mallory.ipynb": []byte(content)} }
	archive := func(entries ...entry) tree { return tree{"mallory.zip": odd(t, entries...)} }
	deflated := odd(t, entry{name: "x.ipynb", data: bytes.Repeat([]byte(" "), 40<<20)})
	whole := string(solved(t, "mallory", "add"))
	return map[string]tree{
		"notebook-empty":           file(""),
		"notebook-no-json":         file("\x89PNG\r\n\x1a\n"),
		"notebook-is-a-zip":        file(string(odd(t, good))),
		"notebook-cut-off":         file(whole[:len(whole)/2]),
		"notebook-twice":           file(whole + whole),
		"notebook-merge-conflict":  file(strings.Replace(whole, `"cells": [`, "\"cells\": [\n<<<<<<< HEAD\n", 1)),
		"notebook-deep":            file(`{"nbformat":4,"metadata":` + strings.Repeat(`[`, 20_000)),
		"notebook-deep-cell":       file(`{"nbformat":4,"cells":[{"source":` + strings.Repeat(`[`, 5_000) + strings.Repeat(`]`, 5_000) + `}]}`),
		"notebook-nbformat-3":      file(`{"nbformat":3,"nbformat_minor":0,"metadata":{},"worksheets":[{"cells":[]}]}`),
		"notebook-nbformat-text":   file(`{"nbformat":"<script>","cells":[]}`),
		"notebook-no-cells":        file(`{"nbformat":4,"metadata":{}}`),
		"notebook-cells-no-list":   file(`{"nbformat":4,"cells":{"0":{"cell_type":"code"}}}`),
		"notebook-cell-no-object":  file(`{"nbformat":4,"cells":[null,42]}`),
		"notebook-source-number":   file(`{"nbformat":4,"cells":[{"cell_type":"code","source":42}]}`),
		"notebook-many-cells":      file(`{"nbformat":4,"cells":[` + strings.Repeat("{},", 10_000) + `{}]}`),
		"notebook-many-entries":    file(`{` + strings.Repeat(`"a":0,`, 1000) + `"nbformat":4,"cells":[]}`),
		"notebook-two-lists":       file(`{"nbformat":4,"cells":[{"cell_type":"code","source":"%%writefile work/relu.wgsl\nx"}],"cells":[{"cell_type":"code","source":"%%writefile work/add.wgsl\n// by mallory"}]}`),
		"notebook-other-paths":     code("%%writefile /etc/passwd\nx", "%%writefile ../add.wgsl\nx", "%%writefile ~/work/add.wgsl\nx", "%%writefile work/../../work/add.wgsl\nx", "%%writefile $HOME/add.wgsl\nx", "%%writefile work/add.wgsl.sh\nx"),
		"notebook-go-and-shell":    code("!touch mallory-was-here", "%%bash\ntouch mallory-was-here", "%%\nos.Exit(0)", "%%writefile work/add.wgsl\n// by mallory", "func init() { os.Exit(0) }"),
		"notebook-broken-utf8":     file(`{"nbformat":4,"cells":[{"cell_type":"code","source":"%%writefile work/add.wgsl\n// ` + "\xff\xfe" + ` \ud800"}]}`),
		"notebook-nul-in-shader":   code("%%writefile work/add.wgsl\n// \x00 by mallory"),
		"zip-no-zip":               tree{"mallory.zip": []byte("This is no zip.")},
		"zip-empty":                archive(),
		"zip-cut-off":              tree{"mallory.zip": odd(t, good)[:100]},
		"zip-dotdot":               archive(good, entry{name: "../../alice.ipynb", data: bad}),
		"zip-dotdot-backslash":     archive(good, entry{name: `..\alice.ipynb`, data: bad}),
		"zip-absolute":             archive(good, entry{name: "/etc/alice.ipynb", data: bad}),
		"zip-drive-letter":         archive(good, entry{name: `C:\alice.ipynb`, data: bad}),
		"zip-nul-in-name":          archive(good, entry{name: "alice.ipynb\x00.txt", data: bad}),
		"zip-escape-in-name":       archive(good, entry{name: "\x1b[2J.ipynb", data: bad}),
		"zip-bidi-in-name":         archive(good, entry{name: "\u202egpj.ipynb", data: []byte("x")}),
		"zip-html-in-name":         archive(good, entry{name: "<img src=x onerror=alert(1)>.ipynb", data: []byte("x")}),
		"zip-long-name":            archive(good, entry{name: strings.Repeat("x", 10_000) + ".ipynb", data: bad}),
		"zip-deep-folders":         archive(good, entry{name: strings.Repeat("x/", 5000) + "a.ipynb", data: bad}, entry{name: strings.Repeat("x/", 100) + "a.ipynb", data: bad}),
		"zip-code-page-437":        archive(good, entry{name: "M\x81ller.ipynb", data: []byte("x"), change: func(h *zip.FileHeader) { h.NonUTF8 = true }}),
		"zip-link":                 archive(good, entry{name: "04-relu.ipynb", data: []byte("../alice.ipynb"), change: mode(fs.ModeSymlink | 0o777)}),
		"zip-device":               archive(good, entry{name: "04-relu.ipynb", change: mode(fs.ModeDevice | fs.ModeCharDevice | 0o666)}),
		"zip-encrypted":            archive(good, entry{name: "04-relu.ipynb", data: []byte("secret secret"), raw: true, change: func(h *zip.FileHeader) { h.Flags |= 1 }}),
		"zip-unknown-method":       archive(good, entry{name: "04-relu.ipynb", data: bad, raw: true, change: func(h *zip.FileHeader) { h.Method = 93 }}),
		"zip-wrong-checksum":       archive(good, entry{name: "04-relu.ipynb", data: bad, raw: true, change: func(h *zip.FileHeader) { h.CRC32++ }}),
		"zip-not-deflated":         archive(good, entry{name: "04-relu.ipynb", data: bad, raw: true, change: func(h *zip.FileHeader) { h.Method = zip.Deflate }}),
		"zip-bomb":                 archive(good, entry{name: "bomb.ipynb", data: bytes.Repeat([]byte(" "), 40<<20)}),
		"zip-bomb-that-lies":       archive(good, entry{name: "bomb.ipynb", data: deflated[39 : len(deflated)-100], raw: true, change: lie}),
		"zip-bombs-together":       archive(good, entry{name: "a.ipynb", data: heavy()}, entry{name: "b.ipynb", data: heavy()}, entry{name: "c.ipynb", data: heavy()}),
		"zip-in-a-zip":             archive(good, entry{name: "inner.zip", data: odd(t, entry{name: "inner.zip", data: odd(t, entry{name: "x.ipynb", data: bad})})}),
		"zip-same-name-twice":      archive(entry{name: "02-add.ipynb", data: solved(t, "somebody", "add")}, good),
		"zip-names-clash-in-case":  archive(entry{name: "02-ADD.ipynb", data: solved(t, "somebody", "add")}, good),
		"zip-many-notebooks":       archive(slices.Repeat([]entry{good}, 201)...),
		"zip-other-student-inside": archive(entry{name: "alice/02-add.ipynb", data: solved(t, "mallory", "add")}, entry{name: "submitted/bob/ps1/04-relu.ipynb", data: solved(t, "mallory", "relu")}),
		"zip-long-shader":          archive(entry{name: "02-add.ipynb", data: []byte(cellsOf("%%writefile work/add.wgsl\n// by mallory\n" + strings.Repeat("a", 8<<20)))}),
		"zip-long-append":          archive(entry{name: "02-add.ipynb", data: []byte(cellsOf(slices.Repeat([]string{"%%writefile -a work/add.wgsl\n// by mallory" + strings.Repeat("a", 1<<20)}, 8)...))}),
		"zip-folder-as-notebook":   archive(good, entry{name: "04-relu.ipynb/"}, entry{name: "04-relu.ipynb/05-softmax.ipynb", data: bad}),
	}
}

// lie makes a header say that the data is small.
func lie(h *zip.FileHeader) {
	h.Method, h.UncompressedSize64, h.CRC32 = zip.Deflate, 100, 0
}

// heavy returns a notebook of 25 MiB without any use.
func heavy() []byte {
	return []byte(`{"nbformat":4,"cells":[],` + strings.Repeat(" ", 25<<20) + `"metadata":{}}`)
}

func TestHostile(t *testing.T) {
	if *update {
		writeHostile(t)
	}
	for name, expected := range wantedOfHostile(t) {
		t.Run(name, func(t *testing.T) {
			all, err := Collect(t.Context(), []string{filepath.Dir(handedIn(t, name))})
			require.NoError(t, err)
			require.Len(t, all, 1)
			require.Equal(t, "mallory", all[0].Student)
			requireGot(t, expected, all[0])
		})
	}
}

// wantedResults holds the expected result of each case, by its name.
const wantedResults = "testdata/hostile/want.json"

func wantedOfHostile(t testing.TB) (all map[string]want) {
	t.Helper()
	data, err := os.ReadFile(wantedResults)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &all))
	require.NotEmpty(t, all)
	return all
}

// handedIn returns the file of a case.
func handedIn(t testing.TB, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/hostile", name, "mallory.*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

func requireGot(t testing.TB, w want, s Submission) {
	t.Helper()
	require.Equal(t, w, got(s), s.Student)
	requireSound(t, s)
}

func got(s Submission) want {
	w := want{Shaders: map[string]string{}, Problems: s.Problems}
	for id, shader := range s.Shaders {
		w.Shaders[id], _, _ = strings.Cut(shader.Source[:min(len(shader.Source), 40)], "\n")
	}
	return w
}

// writeHostile writes the files of the cases. It writes the current results as the expected ones,
// so read them with care.
func writeHostile(t *testing.T) {
	require.NoError(t, os.RemoveAll("testdata/hostile"))
	wanted := map[string]want{}
	for name, files := range hostile(t) {
		dir := files.write(t, filepath.Join("testdata/hostile", name))
		all, err := Collect(t.Context(), []string{dir})
		require.NoError(t, err, name)
		wanted[name] = got(all[0])
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(wanted))
	require.NoError(t, os.WriteFile(wantedResults, out.Bytes(), 0o644))
}

// TestHonestBesideHostile puts all hostile submissions into one class with honest ones.
func TestHonestBesideHostile(t *testing.T) {
	honest := tree{
		"alice.ipynb":          solved(t, "alice", "add", "relu"),
		"bob/02-add.ipynb":     solved(t, "bob", "add", "vector-add"),
		"bob/05-softmax.ipynb": solved(t, "bob", "softmax"),
		"carol.zip":            tree{"carol/hw/03-matmul.ipynb": solved(t, "carol", "matmul")}.zip(t),
		"zoe.ipynb":            solved(t, "zoe", "hello"),
	}
	keep := []string{
		"alice: add by alice, relu by alice", "bob: add by bob, softmax by bob, vector-add by bob",
		"carol: matmul by carol", "zoe: hello by zoe",
	}
	wanted := wantedOfHostile(t)
	class := maps.Clone(honest)
	for name := range wanted {
		path := handedIn(t, name)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		class[name+filepath.Ext(path)] = content
	}
	zipped := filepath.Join(t.TempDir(), "class.zip")
	require.NoError(t, os.WriteFile(zipped, class.zip(t), 0o644))
	folder := class.write(t, t.TempDir())
	byThemselves, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)

	for how, paths := range map[string][]string{"": {folder}, "class.zip/": {zipped}, "by themselves": byThemselves} {
		t.Run(how, func(t *testing.T) {
			all, err := Collect(t.Context(), paths)
			require.NoError(t, err)
			require.Len(t, all, len(wanted)+len(keep))
			var kept []string
			for _, s := range all {
				w, isHostile := wanted[s.Student]
				if !isHostile {
					kept = append(kept, summary(s))
					require.Empty(t, s.Problems, s.Student)
					continue
				}
				w.Problems = slices.Clone(w.Problems)
				for i := range w.Problems {
					w.Problems[i] = strings.ReplaceAll(w.Problems[i], `"mallory.`, `"`+strings.TrimPrefix(how, "by themselves")+s.Student+".")
				}
				// Long names are shortened, and here they start differently.
				if s.Student != "zip-long-name" && s.Student != "zip-deep-folders" {
					requireGot(t, w, s)
				}
				requireSound(t, s)
			}
			require.Equal(t, keep, kept)
		})
	}
	_, err = os.Stat("mallory-was-here")
	require.ErrorIs(t, err, fs.ErrNotExist, "nothing of a submission is run")
}

// TestHostileOnTheDisk tests files that cannot be committed: links, pipes, large files.
func TestHostileOnTheDisk(t *testing.T) {
	outside := tree{"secret.ipynb": solved(t, "somebody else", "relu"), "secret/x.ipynb": solved(t, "somebody else", "relu")}.write(t, t.TempDir())
	dir := tree{
		"alice/02-add.ipynb": solved(t, "alice", "add"), "links/02-add.ipynb": solved(t, "links", "add"),
		"pipes/02-add.ipynb": solved(t, "pipes", "add"), "large/02-add.ipynb": solved(t, "large", "add"),
	}.write(t, t.TempDir())
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.ipynb"), in("links/04-relu.ipynb")))
	require.NoError(t, os.Symlink("../alice/02-add.ipynb", in("links/05-softmax.ipynb")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret"), in("links/folder")))
	require.NoError(t, os.Symlink("loop", in("links/loop")))
	require.NoError(t, os.Symlink(outside, in("linked")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.ipynb"), in("linked-notebook.ipynb")))
	require.NoError(t, syscall.Mkfifo(in("pipes/04-relu.ipynb"), 0o644))
	require.NoError(t, syscall.Mkfifo(in("pipes/hw.zip"), 0o644))
	require.NoError(t, syscall.Mkfifo(in("pipe.zip"), 0o644))
	for _, name := range []string{"large/04-relu.ipynb", "large/huge.zip"} {
		require.NoError(t, os.WriteFile(in(name), []byte(`{"nbformat":4,"metadata":"`), 0o644))
		require.NoError(t, os.Truncate(in(name), 10<<30))
	}

	want := map[string]want{
		"alice": {Shaders: map[string]string{"add": "// by alice"}},
		"links": {Shaders: map[string]string{"add": "// by links"}, Problems: []string{
			`"links/04-relu.ipynb" is a symbolic link, and links are not followed.`, `"links/05-softmax.ipynb" is a symbolic link, and links are not followed.`,
			`"links/folder" is a symbolic link, and links are not followed.`, `"links/loop" is a symbolic link, and links are not followed.`,
		}},
		"linked":          {Shaders: map[string]string{}, Problems: []string{`"linked" is a symbolic link, and links are not followed.`}},
		"linked-notebook": {Shaders: map[string]string{}, Problems: []string{`"linked-notebook.ipynb" is a symbolic link, and links are not followed.`}},
		"pipe":            {Shaders: map[string]string{}, Problems: []string{`"pipe.zip" isn't a regular file.`}},
		"pipes": {Shaders: map[string]string{"add": "// by pipes"}, Problems: []string{
			`"pipes/04-relu.ipynb" isn't a regular file.`, `"pipes/hw.zip" isn't a regular file.`,
		}},
		"large": {Shaders: map[string]string{"add": "// by large"}, Problems: []string{
			`"large/huge.zip" cannot be read: it isn't a zip.`, `"large/04-relu.ipynb" cannot be read: it is not JSON: invalid character '\x00' in string literal.`,
		}},
	}
	everything, err := filepath.Glob(in("*"))
	require.NoError(t, err)
	for _, paths := range [][]string{{dir}, everything} {
		all, err := Collect(t.Context(), paths)
		require.NoError(t, err)
		require.Len(t, all, len(want))
		for _, s := range all {
			requireGot(t, want[s.Student], s)
		}
	}

	t.Run("a link to the folder of a class is followed", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "class")
		require.NoError(t, os.Symlink(dir, link))
		all, err := Collect(t.Context(), []string{link})
		require.NoError(t, err)
		require.Len(t, all, len(want))
	})
}

// TestFlatMemory reads submissions that would need gigabytes if they were kept in memory.
func TestFlatMemory(t *testing.T) {
	nested := odd(t, entry{name: "a.ipynb", data: heavy()})
	class := tree{"alice/02-add.ipynb": solved(t, "alice", "add")}
	for i := range 5 {
		class[fmt.Sprintf("heavy-%d/a.ipynb", i)] = heavy()
		class[fmt.Sprintf("nested-%d.zip", i)] = nested
	}
	path := filepath.Join(t.TempDir(), "class.zip")
	require.NoError(t, os.WriteFile(path, class.zip(t), 0o644))
	clear(class)
	runtime.GC()

	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			case <-done:
				peak <- most
				return
			}
		}
	}()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	all, err := Collect(t.Context(), []string{path})
	close(done)
	grown := int64(<-peak) - int64(before.HeapAlloc)
	require.NoError(t, err)
	require.Len(t, all, 11)
	t.Logf("11 submissions, 250 MiB of notebooks: the heap grew by %d MiB at most", grown>>20)
	require.Less(t, grown, int64(160<<20))
}

func TestManyNames(t *testing.T) {
	entries := make([]entry, 150_000)
	for i := range entries {
		entries[i].name, entries[i].raw = fmt.Sprintf("file-%06d", i), true
	}
	path := filepath.Join(t.TempDir(), "mallory.zip")
	require.NoError(t, os.WriteFile(path, odd(t, entries...), 0o644))
	all, err := Collect(t.Context(), []string{path})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, []string{`"mallory.zip" cannot be read: there are more than 8 MiB of names in zips.`}, all[0].Problems)
}
