//go:build !js

package host

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// A program gets what it uses of the host file and doesn't declare: the learner's, or a reference.
func TestCompanion(t *testing.T) {
	const ownGo = "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/wgslab/wgslab/pkg/wgpu\"\n)\n\n// upload is mine.\nfunc upload(device *wgpu.Device) { fmt.Println(limit) }\n\nconst limit = 3\n\nfunc other() {}\n"
	const ownScript = "// upload is mine.\nfunction upload(device) {\n  return limit;\n}\n\nconst limit = 3;\nfunction other() {}\n"
	for name, c := range map[string]struct {
		goText, script string
		session        []string
		pieces         []PieceSource
		has, lacks     []string
	}{
		"yours and the reference": {
			"func f(d *wgpu.Device) { upload(d); read(d, nil) }", "async function f(d) { upload(d); await read(d); }", nil,
			[]PieceSource{{"upload", true}, {"read", false}}, []string{"is mine", "limit = 3", "readback"}, []string{"other", " pipeline("},
		},
		"its own":           {"func upload() {}\nfunc f() { upload() }", "function upload() {}\nfunction f() { upload(); }", nil, nil, nil, []string{"mine"}},
		"a local variable":  {"func f() { pipeline := 1; _ = pipeline; x.run() }", "function f() { const pipeline = 1; return x.run(pipeline); }", nil, nil, nil, []string{"run"}},
		"a helper":          {"func f() { other() }", "function f() { other(); }", nil, nil, []string{"other"}, []string{"upload"}},
		"the session's":     {"func f(d *wgpu.Device) { upload(d) }", "", []string{"upload"}, nil, nil, []string{"mine"}},
		"its own, indented": {"func upload() {}\nfunc f() { upload() }", "  function upload() {}\n  function f() { 'upload'; return g(upload); }", nil, nil, nil, []string{"mine"}},
		"its own constants": {"const a, upload = 1, 2\nfunc f() { _ = upload }", "const a = 1, upload = () => {};\nfunction f() { upload(); }", nil, nil, nil, []string{"mine"}},
		"unreadable":        {"func f( { upload() }", "", nil, nil, nil, []string{"upload"}},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := GoCompanion("package main\n"+c.goText, ownGo, c.session...)
			require.NoError(t, err)
			script := ScriptCompanion(c.script, ownScript)
			for _, given := range []struct {
				Companion
				text string
			}{{b, b.Go("work/host.go")}, {script, script.Script()}} {
				if given.text == "" && c.script == "" {
					continue
				}
				require.Equal(t, c.pieces, given.Pieces)
				for _, text := range c.has {
					require.Contains(t, given.text, text)
				}
				for _, text := range c.lacks {
					require.NotContains(t, given.text, text)
				}
			}
		})
	}
	_, err := GoCompanion("package main\nfunc f() { upload() }", "package main\nfunc (")
	require.ErrorContains(t, err, "reading work/host.go: ")
	for program, due := range map[string]string{"function upload() {}\ng('upload', upload)": "", "  let upload;\n  upload = g;\n  upload()": "", "function other() { upload(); }": "upload"} {
		require.Empty(t, ScriptCompanion(program, "const upload = () => {};\n", due).Script(), program)
	}
	require.Equal(t, 4, ScriptReturn("const g = () => 1;\nconst f = async () => {\n  // return\n  return list.map((x) => {\n    return x;\n  });\n};\n", "f"))
	require.Equal(t, 1, ScriptReturn("function f() {\n  g(() => { return 1; });\n}\n", "f"))
	b := ScriptCompanion("f(upload)\nupload()", ownScript)
	require.Equal(t, 3, b.Place(3, ownScript).Line, "lines of the learner's file")
	require.Nil(t, ScriptCompanion("read()", "").Place(1, ""), "a reference's line")
	cell, err := GoCompanion("package main\nfunc f(d *wgpu.Device) { read(d, nil) }", "")
	require.NoError(t, err)
	got := cell.InCell("%noautoget\nimport \"fmt\"\n\nfunc f() {}\n%%\nf()\n")
	require.Contains(t, got, "%noautoget\nimport \"github.com/wgslab/wgslab/pkg/wgpu\"; import \"slices\"; import \"fmt\"\n\nfunc f() {}\n\n")
	require.Regexp(t, `(?s)func read.*\n}\n%%\nf\(\)\n$`, got)
}

// A right piece is kept in the host file, in place of one with its name.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	keep := func(id, file, text string) string {
		require.NoError(t, Keep(id, dir, file, text))
		kept, err := OwnFile(dir, file)
		require.NoError(t, err)
		return kept
	}
	const first = "//go:build ignore\n\npackage main\n\nimport \"fmt\"\n\n// upload is one.\nfunc upload() { fmt.Println() }\n\nfunc help() {}\n"
	require.Equal(t, first, keep("host-upload", learner.GoPath("host-upload"), first))
	const second = "//go:build ignore\n\npackage main\n\nimport (\n\t\"fmt\"\n\t\"slices\"\n)\n\n// upload is one.\nfunc upload() { fmt.Println() }\n\nfunc help() { slices.Clone([]int{}) }\n\nfunc read() { help() }\n"
	require.Equal(t, second, keep("host-read", learner.GoPath("host-read"), "package main\nimport \"slices\"\nfunc read() { help() }\nfunc help() { slices.Clone([]int{}) }\n"))
	require.Equal(t, second, keep("host-add", learner.GoPath("host-add"), "package main\nfunc addVectors() {}\n"), "it is no piece")
	require.Equal(t, "// one\nfunction upload() {\n}\n", keep("host-upload", learner.ProgramPath("host-upload"), "'use strict';\n// one\nfunction upload() {\n}\n"))
	require.Equal(t, "function upload() {}\n\nasync function read() {}\n", keep("host-read", learner.ProgramPath("host-read"), "function upload() {}\nasync function read() {}\n"))
	require.NoError(t, Keep("host-read", filepath.Join(dir, "none"), "x.js", ""))

	t.Chdir(filepath.Dir(dir))
	const program = "func f() { upload() }"
	require.Equal(t, program, CellWithPieces(program, []string{"upload"}), "the session has it")
	require.Contains(t, CellWithPieces(program, nil), "return must(", "the reference")
}
