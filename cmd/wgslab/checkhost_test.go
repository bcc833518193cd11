package main

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// hostPrograms writes the solutions of an exercise in a language to files, and returns their paths.
func hostPrograms(t *testing.T, id, pattern string) (paths []string) {
	t.Helper()
	names, err := exercises.Files.Glob(id + "/" + pattern)
	require.NoError(t, err)
	require.NotEmpty(t, names, pattern)
	folder := t.TempDir()
	for _, name := range names {
		text, err := exercises.Files.ReadFile(name)
		require.NoError(t, err)
		paths = append(paths, filepath.Join(folder, path.Base(name)))
		require.NoError(t, os.WriteFile(paths[len(paths)-1], text, 0o600))
	}
	return paths
}

// A program in JavaScript gets the same diagnosis in a terminal as in the page, and an editor's
// line.
func TestCheckJavaScript(t *testing.T) {
	right, wrong := map[string]string{"host-add": hostPrograms(t, "host-add", "right/from-pieces.js")[0]}, map[string][]string{}
	for _, e := range course.OnHost {
		right[e.ID] = cmp.Or(right[e.ID], hostPrograms(t, e.ID, "reference.js")[0])
		if e.Host.Piece || e.ID == "host-add" || e.ID == "host-calls" || e.ID == "host-grid" {
			wrong[e.ID] = append(coursetest.One(t, hostPrograms(t, e.ID, "wrong/*.js")), hostPrograms(t, e.ID, "skeleton.js")...)
		}
	}
	var own []byte // the learner's host file has calls as well, and they are not the program's
	for _, e := range course.OnHost {
		if e.Host.Piece && !e.Host.Opens {
			text, err := os.ReadFile(right[e.ID])
			require.NoError(t, err)
			own = append(append(own, text...), '\n')
		}
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("work", "host.js"), own, 0o600))
	for id, path := range right {
		code, v := checkJSON(t, id, path, "--engine", "simulator")
		require.Equal(t, exitOK, code, "%s: %s", path, v.Message)
		require.Equal(t, "pass", v.Verdict)
	}
	for id, paths := range wrong {
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			want := cmp.Or(course.Diagnosis(string(text)), "stub")
			if want == "endless" {
				continue // it takes 10 s; the page has a name of its own for it
			}
			code, v := checkJSON(t, id, path, "--engine", "simulator")
			require.Equal(t, exitNotRight, code, path)
			require.Equal(t, want, v.Diagnosis, "%s: %s", path, v.Message)
			if strings.Contains(v.Message, "(line ") && !strings.Contains(v.Message, " of host.js") || strings.Contains(v.Message, ": it returns ") {
				require.Positive(t, v.Line, path)
			}
		}
	}
	for name, c := range map[string]struct{ id, old, new, says string }{
		"another name":           {"host-read", "function read(", "function readBytes(", "another-name.js declares no function `read`, which the exercise asks for."},
		"a reversed word":        {"host-saxpy", "setUint32(4, n, true)", "setUint32(4, n)", "The four bytes of `params.n` are in reverse order: the shader reads "},
		"an array for an object": {"host-digits", "return result;", "return [result.probabilities, result.digits];", "readDigits: it returns an array of 2 (a Float32Array, a Uint32Array), and must return `{ probabilities, digits }` (line "},
		"another member":         {"host-digits", "return result;", "return { scores: result.probabilities, digits: result.digits };", "readDigits: it returns an object with `scores`, `digits`, and must return "},
		"an error returned":      {"host-device", "throw new Error", "return new Error", "This case has no adapter, and your function returns an Error: it throws no error (line 5)."},
		"nothing uploaded":       {"host-upload", "data.byteLength", "4 * data.length", "upload: it returns a buffer of 16 bytes, and must return one of 4, as many as the data has (line "},
		"a view of bytes":        {"host-read", "return bytes", "return new Uint8Array(bytes)", "read: it returns a Uint8Array, and must return an ArrayBuffer (line "},
		"memory of a buffer":     {"host-read", ".slice()", "", "Your function returns the mapped memory itself, and destroys its buffer (line "},
		"too few rows":           {"host-digits", "run(softmax, images, 1", "run(softmax, 1, 1", "The dispatch of `softmax` has workgroups in x for 1 of "},
	} {
		text, err := os.ReadFile(hostPrograms(t, c.id, "reference.js")[0])
		require.NoError(t, err)
		require.Contains(t, string(text), c.old, name)
		file := filepath.Join(t.TempDir(), strings.ReplaceAll(name, " ", "-")+".js")
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o600))
		_, v := checkJSON(t, c.id, file, "--engine", "simulator")
		require.Contains(t, v.Message, c.says, name)
	}
	require.NoFileExists(t, filepath.Join("work", "journal.jsonl"), "a named file is no try of the learner")
}

// Go is built with the course's packages; a file that doesn't compile is told by its lines.
func TestCheckGo(t *testing.T) {
	path := hostPrograms(t, "host-add", "wrong/no-copy.go")[0]
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	try := func(name, text string) (int, checked) {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return checkJSON(t, "host-add", file, "--engine", "simulator", "--seed", "7")
	}
	code, v := try("copies.go", string(text))
	require.Equal(t, exitNotRight, code)
	require.Equal(t, "readback-uncopied", v.Diagnosis)
	require.EqualValues(t, 7, v.Seed)
	require.Equal(t, 1+strings.Count(string(text[:strings.Index(string(text), "encoder.Finish")]), "\n"), v.Line)

	code, v = try("broken.go", strings.Replace(string(text), "n := len(a)", "n := len(c)", 1))
	require.Equal(t, exitNotRight, code)
	require.Equal(t, "compile", v.Stage)
	require.Contains(t, v.Message, "undefined: c (line ")
	require.Equal(t, 11, v.Column)

	code, v = try("misfit.go", strings.Replace(string(text), "a, b []float32)", "a, b, c []float32)", 1))
	require.Equal(t, exitNotRight, code)
	require.Contains(t, v.Message, "and needs the parameters and the result that the cell gave: func addVectors(device *wgpu.Device, ")
	require.Equal(t, 1+strings.Count(string(text[:strings.Index(string(text), "func addVectors")]), "\n"), v.Line)

	_, v = try("cell.go", "%noautoget\nfunc other() {}\n%%\nother()")
	require.Equal(t, "cell.go declares no function `addVectors`, which the exercise asks for.", v.Message)
}

// What is wrong with a file that is no program is told by its name and line.
func TestCheckHostRefusesFiles(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text, message string
		line          int
	}{
		"other.go":   {"// Mine.\npackage other\n\nfunc addVectors() {}\n", "The file is in package `other`: write `package main` (line 2).", 2},
		"method.go":  {"package main\n\ntype T struct{}\n\nfunc (T) addVectors() {}\n", "method.go declares no function `addVectors`, which the exercise asks for.", 0},
		"missing.go": {"package main\n\nimport \"example.org/x\"\n\nfunc addVectors() { x.Y() }\n", "There is no package `example.org/x` here: a program imports Go's standard library and the course's packages (line 3).", 3},
		"bytes.go":   {"package main\x00", "bytes.go has bytes that aren't text. Is it really the program?", 0},
		"bytes.js":   {"\xff", "bytes.js has bytes that aren't text. Is it really the program?", 0},
		"large.js":   {strings.Repeat("/", 1+256<<10), "large.js is larger than 256 KiB. Programs in this course have two to ten.", 0},
		"other.js":   {"const addVector = 3;", "other.js declares no function `addVectors`, which the exercise asks for.", 0},
		"in.js":      {"async function addVectors(device, in, size) {\n}", "JavaScript can't read your program: `in` is a reserved word, so nothing can have it as its name (line 1).", 1},
		"export.js":  {"\nexport const addVectors = () => {};", "JavaScript can't read your program: only a module can `export`, and your program isn't one (line 2).", 2},
		"await.js":   {"function addVectors(device) {\n  await read(device);\n}", "JavaScript can't read your program: `await` is only allowed in an `async` function (line 2).", 2},
		"twice.js":   {"function addVectors() {\n  const a = 1;\n  const a = 2;\n}", "JavaScript can't read your program: Identifier 'a' has already been declared (line 3).", 3},
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
		code, v := checkJSON(t, "host-add", file, "--engine", "simulator")
		require.Equal(t, exitNotRight, code, name)
		require.Equal(t, c.message, v.Message, name)
		require.Equal(t, c.line, v.Line, name)
		require.Equal(t, "compile", v.Stage, name)
	}
}

// Without a file, a check takes the newer program in work/, and records the try.
func TestCheckHostFiles(t *testing.T) {
	reference, err := os.ReadFile(hostPrograms(t, "host-add", "reference.js")[0])
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	require.NoError(t, os.WriteFile("work/try.txt", reference, 0o600))
	for want, args := range map[string][]string{
		"there is no host-add.go or host-add.js in work yet": {"host-add"},
		"there is no file nosuch.js":                         {"host-add", "nosuch.js"},
		"is neither Go nor JavaScript":                       {"host-add", "work/try.txt"},
	} {
		code, stdout, stderr := wgslab(t, append([]string{"check"}, args...)...)
		require.Equal(t, exitAsked, code, stderr)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
	}
	require.NoError(t, os.WriteFile("work/host-add.js", reference, 0o600))
	code, stdout, stderr := wgslab(t, "check", "host-add", "--engine", "simulator")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "✓ host-add: right")
	require.Contains(t, stdout, "vector-add  the reference: yours is not written yet")
	require.Regexp(t, `(?m)^• dispatch +\d+ workgroups?$`, stdout, "the calls are below the verdict")
	tries, _, err := learner.ReadJournal("work")
	require.NoError(t, err)
	require.Len(t, tries, 1)
	require.Equal(t, string(reference), tries[0].Shader)
	require.Contains(t, tries[0].Calls, "• dispatch ")
	require.NoError(t, os.WriteFile("TUTOR.md", []byte("Never solve it."), 0o600))
	_, stdout, _ = wgslab(t, "tutor", "host-add")
	require.Contains(t, stdout, tries[0].Calls)
}
