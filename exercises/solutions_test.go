package exercises_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
)

const (
	double   = "// double: twice x.\n\n@compute\nfn main() {\n    let y = 2 * x;\n    let z = y;\n}\n"
	inGo     = "//go:build ignore\n\npackage main\n\nfunc two() int { return 2 }\n"
	inScript = "function two() { return 2; }\n"
)

// unfolded returns the folder of an exercise with a wrong.md and a right.md.
func unfolded(wrong, right string) *exercises.Unfolded {
	files := fstest.MapFS{}
	for name, text := range map[string]string{"reference.wgsl": double, "reference.go": inGo, "reference.js": inScript, "wrong.md": wrong, "right.md": right} {
		files["double/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return exercises.Unfold(files)
}

// A solution reads as the whole program.
func TestSolutionsReadAsFiles(t *testing.T) {
	const body = "@compute\nfn main() {\n    let y = 2 * x;\n    let z = y;\n}\n"
	three := strings.Replace(body, "2 * x", "3 * x", 1)
	const diff = "```diff\n-    let y = 2 * x;\n+    let y = 3 * x;\n```\n"
	told := "**It is three times x.** " + strings.Repeat("Sixteen letters. ", 6) + "*Why 3 * 4?*"
	for name, c := range map[string]struct {
		wrong, right, file, want string
		edited                   []int
	}{
		"an edit":          {"## three\n\"Many.\"\n" + diff, "", "wrong/three.wgsl", "// diagnosis: three\n// Many.\n" + three, []int{5}},
		"a diagnosis":      {"## three: times\nMany.\n" + diff, "", "wrong/three.wgsl", "// diagnosis: times\n// Many.\n" + three, []int{5}},
		"no words":         {"# A title\n\nAnd an introduction.\n\n## three\n" + diff, "", "wrong/three.wgsl", "// diagnosis: three\n" + three, []int{4}},
		"lines of Windows": {strings.ReplaceAll("## three\n\"Many.\"\n"+diff, "\n", "\r\n"), "", "wrong/three.wgsl", "// diagnosis: three\n// Many.\n" + three, []int{5}},
		"long words": {"## three\n\"Many.\" " + told + "\n" + diff, "", "wrong/three.wgsl",
			"// diagnosis: three\n// title: It is three times x.\n// why: " + strings.Repeat("Sixteen letters. ", 5) + "Sixteen\n//   letters.\n" +
				"// ask: Why 3 * 4?\n// Many.\n" + three, []int{9}},
		"words in lines": {"## three\n\"Many.\"\n**It is three\ntimes x.**\nBecause.\n" + diff, "", "wrong/three.wgsl",
			"// diagnosis: three\n// title: It is three\n//   times x.\n// why: Because.\n// Many.\n" + three, []int{8}},
		"a whole program": {"## other\n```wgsl\n" + three + "```\n", "", "wrong/other.wgsl", "// diagnosis: other\n" + three, nil},
		"two parts": {"## two\n```diff\n+// first\n @compute\n@@\n-    let z = y;\n```\n", "", "wrong/two.wgsl",
			"// diagnosis: two\n// first\n@compute\nfn main() {\n    let y = 2 * x;\n}\n", []int{2, 6}},
		"what diff writes": {"## three\n```diff\n--- reference.wgsl\t2026\n+++ try.wgsl\t2026\n@@ -4,3 +4,3 @@\n fn main() {\n-    let y = 2 * x;\n+    let y = 3 * x;\n     let z = y;\n```\n", "", "wrong/three.wgsl",
			"// diagnosis: three\n" + three, []int{4}},
		"a right one edited": {"# Edits of `right/three.wgsl`\n## four\n```diff\n-    let y = 3 * x;\n+    let y = 4 * x;\n```\n", "## three: few barriers\n**Another.** \n" + diff,
			"wrong/four.wgsl", "// diagnosis: four\n" + strings.Replace(body, "2 * x", "4 * x", 1), []int{4}},
		"a right one":           {"", "## three: few barriers\nOdd. **Another.**\n" + diff, "right/three.wgsl", "// goals: few barriers\n// way: Another.\n// Odd.\n" + three, []int{6}},
		"a right one unchanged": {"", "## same\n```diff crlf\n```\n", "right/same.wgsl", strings.ReplaceAll(body, "\n", "\r\n"), nil},
		"in Go": {"# Edits of `reference.go` and `reference.js`\n## three\nMany.\n```diff go\n-func two() int { return 2 }\n+func two() int { return 3 }\n```\n", "", "wrong/three.go",
			"//go:build ignore\n\n// diagnosis: three\n// Many.\n\npackage main\n\nfunc two() int { return 3 }\n", []int{8}},
		"a right one in Go": {"", "# Edits of `reference.go` and `reference.js`\n## three\n```diff go\n-func two() int { return 2 }\n+func two() int { return 3 }\n```\n", "right/three.go",
			"//go:build ignore\n\npackage main\n\nfunc two() int { return 3 }\n", []int{5}},
		"in JavaScript": {"# Edits of `reference.go` and `reference.js`\n## three\nMany.\n```diff js\n-function two() { return 2; }\n+function two() { return 3; }\n```\n", "", "wrong/three.js",
			"// diagnosis: three\n// Many.\n\nfunction two() { return 3; }\n", []int{4}},
	} {
		t.Run(name, func(t *testing.T) {
			files := unfolded(c.wrong, c.right)
			text, err := fs.ReadFile(files, "double/"+c.file)
			require.NoError(t, err)
			require.Equal(t, c.want, string(text))
			found, err := fs.Glob(files, "*/"+c.file)
			require.NoError(t, err)
			require.Equal(t, []string{"double/" + c.file}, found)
			edited, err := files.Edited("double/" + c.file)
			require.NoError(t, err)
			require.Equal(t, c.edited, edited)
		})
	}
}

// What cannot be read is an error with its line.
func TestSolutionsThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ wrong, right, want string }{
		"context is missing":    {"## three\n```diff\n-    let y = 5 * x;\n```\n", "", `double/wrong.md:3: reference.wgsl has no such lines: "    let y = 5 * x;"`},
		"second part missing":   {"## three\n```diff\n-    let y = 2 * x;\n@@\n x\n```\n", "", `double/wrong.md:5: reference.wgsl has no such lines: "x"`},
		"context occurs twice":  {"# Edits of `right/twice.wgsl`\n## three\n```diff\n-a\n```\n", "## twice\n```wgsl\na\nb\na\n```\n", "double/wrong.md:4: these lines fit right/twice.wgsl in more than one place: add lines around them as context"},
		"parts in wrong order":  {"## three\n```diff\n-    let z = y;\n@@\n-@compute\n```\n", "", "double/wrong.md:5: this part of the edit belongs above the part before it"},
		"parts overlap":         {"## three\n```diff\n-    let z = y;\n@@\n-    let z = y;\n```\n", "", "double/wrong.md:5: this part of the edit belongs above the part before it"},
		"no context":            {"## three\n```diff\n+x\n```\n", "", "double/wrong.md:3: this part of the edit has no place: add a line of reference.wgsl as context, after a space"},
		"a line without a sign": {"## three\n```diff\nlet y = 2 * x;\n```\n", "", "double/wrong.md:3: a line of an edit begins with `-`, `+`, `@@` or a space"},
		"unknown base":          {"# Edits of `right/none.wgsl`\n## three\n```diff\n-x\n```\n", "", "double/wrong.md:3: there is no right/none.wgsl to edit"},
		"base is wrong":         {"# Edits of `wrong/other.wgsl`\n## three\n```diff\n-x\n```\n", "", "double/wrong.md:3: a solution edits the reference or a right solution, and wrong/other.wgsl is neither"},
		"base is elsewhere":     {"# Edits of `../add/reference.wgsl`\n## three\n```diff\n-x\n```\n", "", "double/wrong.md:3: a solution edits the reference or a right solution, and ../add/reference.wgsl is neither"},
		"no language":           {"# Edits of `reference.go` and `reference.js`\n## three\n```diff\n-x\n```\n", "", "double/wrong.md:3: say which program this edits: ```diff go"},
		"other language":        {"## three\n```diff go\n-x\n```\n", "", `double/wrong.md:2: the heading above names no program in "go"`},
		"unknown block":         {"## three\n```rust\n```\n", "", "double/wrong.md:2: a block begins with ```diff, or with ```wgsl, ```go or ```js if it holds a whole program"},
		"name twice":            {"## three\n```wgsl\n```\n## four\n```wgsl\n```\n\n## three\n```wgsl\n```\n", "", "double/wrong.md:8: line 1 is a heading for three.wgsl, too: give this one another name"},
		"bad name":              {"## ../three\n```wgsl\n```\n", "", `double/wrong.md:1: "../three" cannot name a solution: use lower-case letters, digits and hyphens`},
		"no program":            {"\n## three\nMany.\n\n## four\n```wgsl\n```\n", "", "double/wrong.md:2: three has no program: add a block that begins with ```diff or ```wgsl"},
		"no end":                {"## three\n```wgsl\nx\n", "", "double/wrong.md:2: this block has no end: add a line ```"},
		"no heading":            {"```wgsl\nx\n```\n", "", "double/wrong.md:1: this block belongs to no heading: begin a solution with `## NAME`"},
		"words below":           {"## three\n```wgsl\n```\nMany.\n", "", "double/wrong.md:4: words belong above the program of three"},
		"edits in a circle":     {"", "# Edits of `right/b.wgsl`\n## a\n```diff\n```\n# Edits of `right/a.wgsl`\n## b\n```diff\n```\n", "double/right.md:3: right/b.wgsl has to come above its edits"},
		"edits itself":          {"", "# Edits of `right/a.wgsl`\n## a\n```diff\n```\n", "double/right.md:3: right/a.wgsl has to come above its edits"},
	} {
		t.Run(name, func(t *testing.T) {
			files := unfolded(c.wrong, c.right)
			err := readAll(files)
			require.ErrorContains(t, err, c.want)
			var at *exercises.EditError
			require.ErrorAs(t, err, &at)
		})
	}
}

func readAll(files fs.FS) error {
	for _, pattern := range []string{"double/wrong/*", "double/right/*"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if _, err := fs.ReadFile(files, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// A solution may still be a file, but not both.
func TestSolutionInAFile(t *testing.T) {
	files := fstest.MapFS{"double/wrong/three.wgsl": &fstest.MapFile{Data: []byte("x")}}
	found, err := fs.Glob(exercises.Unfold(files), "double/wrong/*.wgsl")
	require.NoError(t, err)
	require.Equal(t, []string{"double/wrong/three.wgsl"}, found)
	files["double/wrong.md"] = &fstest.MapFile{Data: []byte("## three\n```wgsl\n```\n")}
	_, err = fs.Glob(exercises.Unfold(files), "double/wrong/*.wgsl")
	require.EqualError(t, err, "double/wrong.md:1: double/wrong/three.wgsl is a file as well: delete it, or give this solution another name")
}

// Every solution of the course reads as a program.
func TestEverySolution(t *testing.T) {
	count := 0
	for _, pattern := range []string{"*/wrong/*", "*/right/*"} {
		names, err := fs.Glob(exercises.Files, pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := fs.ReadFile(exercises.Files, name)
			require.NoError(t, err)
			require.NotEmpty(t, text, name)
			count++
		}
	}
	require.Greater(t, count, 2000)
}
