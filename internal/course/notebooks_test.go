package course_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

// Lessons 1 and 2 teach the WebGPU calls themselves. From lesson 3 on, the subject is the shader,
// so there is little Go.
const (
	firstWithoutCalls = 3
	mostGoInCell      = 25
)

// The lines of Go in all of these lessons, blank ones included, without the commands to GoNB and
// without the questions.
const (
	mostGo       = 370 // in lessons 3 to 8
	mostGoBeyond = 320
)

// example matches the file of a worked example. It is in the folder of the learner's files, which
// always exists, and its name is not an exercise's.
var example = regexp.MustCompile(`^work/example-[a-z-]+\.wgsl$`)

// asks matches a cell that is a question.
var asks = regexp.MustCompile(`check\.(Predict|Explain|Line)\(`)

// later returns the notebooks from lesson 3 on.
func later(t *testing.T) map[string]*nbformat.Notebook {
	t.Helper()
	notebooks := map[string]*nbformat.Notebook{}
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		if l.Number < firstWithoutCalls {
			continue
		}
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		notebooks[l.Notebook] = nb
	}
	require.Len(t, notebooks, 7+len(course.Beyond))
	return notebooks
}

// goCells returns the cells of a notebook that contain Go, not a shader.
func goCells(nb *nbformat.Notebook) []*nbformat.Cell {
	var cells []*nbformat.Cell
	for _, cell := range nb.Cells {
		if file, writes := cell.WrittenFile(); cell.Type == nbformat.Code && !(writes && strings.HasSuffix(file.Path, ".wgsl")) {
			cells = append(cells, cell)
		}
	}
	return cells
}

func TestGoGetsOutOfTheWay(t *testing.T) {
	main, beyond, each := 0, 0, ""
	for name, nb := range later(t) {
		lines := 0
		for _, c := range goCells(nb) {
			if asks.MatchString(c.Source) {
				continue // a question, in comments
			}
			if slices.ContainsFunc(course.OnHost, func(e *course.Exercise) bool {
				return strings.HasPrefix(c.ID, e.ID+"-")
			}) {
				continue // Go is what this exercise is about
			}
			n := 0
			for line := range strings.Lines(c.Source) {
				if !cell.IsCommand(line) {
					n++
				}
			}
			require.LessOrEqual(t, n, mostGoInCell, "lines of Go in cell %s of %s", c.ID, name)
			lines += n
		}
		each += fmt.Sprintf("\n%s: %d", name, lines)
		if strings.HasPrefix(name, "beyond/") {
			beyond += lines
		} else {
			main += lines
		}
	}
	require.LessOrEqual(t, main, mostGo, "lines of Go from lesson %d on:%s", firstWithoutCalls, each)
	require.LessOrEqual(t, beyond, mostGoBeyond, "lines of Go in the lessons beyond:%s", each)
}

// A shader cell belongs to an exercise, or to a worked example that compiles unchanged. An earlier
// cell writes every file that a Go cell uses.
func TestShadersStandInCellsOfTheirOwn(t *testing.T) {
	named := regexp.MustCompile(`"(work/[^"]+\.wgsl)"`)
	for name, nb := range later(t) {
		written := map[string]bool{}
		for _, cell := range nb.Cells {
			file, ok := cell.WrittenFile()
			switch {
			case cell.Type != nbformat.Code:
			case !ok:
				require.NotContains(t, cell.Source, "@compute", "cell %s of %s holds a shader in a Go string", cell.ID, name)
				for _, match := range named.FindAllStringSubmatch(cell.Source, -1) {
					require.True(t, written[match[1]], "cell %s of %s asks for %s", cell.ID, name, match[1])
				}
			case example.MatchString(file.Path):
				require.Nil(t, shader.Read(file.Path, file.Body).Mistake(), "cell %s of %s", cell.ID, name)
				require.NotContains(t, cell.Metadata, "nbgrader", "a worked example is not graded")
			default:
				id := strings.TrimSuffix(strings.TrimPrefix(file.Path, "work/"), ".wgsl")
				_, err := course.Find(id)
				require.NoError(t, err, "cell %s of %s writes %s", cell.ID, name, file.Path)
			}
			written[file.Path] = ok
		}
	}
}

// The shader that gives away another exercise's idea is folded, and its cell says which exercise
// opens it. No other cell is folded.
func TestShadersThatGiveAwayAnIdeaAreFolded(t *testing.T) {
	folded := 0
	for _, l := range course.AllLessons() {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, cell := range nb.Cells {
			file, _ := cell.WrittenFile()
			e, err := course.Find(strings.TrimSuffix(strings.TrimPrefix(file.Path, "work/"), ".wgsl"))
			if err != nil || e.After == "" {
				require.NotContains(t, cell.Metadata, "jupyter", "cell %s of %s", cell.ID, l.Notebook)
				continue
			}
			require.Equal(t, map[string]any{"source_hidden": true}, cell.Metadata["jupyter"], "cell %s of %s", cell.ID, l.Notebook)
			require.Equal(t, map[string]any{"after": e.After}, cell.Metadata["wgslab"], "cell %s of %s", cell.ID, l.Notebook)
			of, err := course.Find(e.After)
			require.NoError(t, err)
			require.Equal(t, e.Lesson, of.Lesson, "its check is in the same notebook as %s", cell.ID)
			folded++
		}
	}
	require.GreaterOrEqual(t, folded, 8)
}

// A bug to find is in a shader that answers the exercise, so each is folded.
func TestBugsToFindAreFolded(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		switch e.Kind {
		case course.FindBug:
			require.Equal(t, e.WrongAsIn, e.After)
		case course.BreakIt: // folded if the skeleton shows the wrong shader
			skeleton, err := e.Skeleton()
			require.NoError(t, err)
			require.Equal(t, strings.Contains(skeleton, "/* The wrong shader:"), e.After != "", e.ID)
		case course.Write:
			require.Empty(t, e.After)
		}
	})
}

// JupyterLab shows the HTML of a summary as it is: backticks would stay in the text.
func TestSummariesMarkCodeInHTML(t *testing.T) {
	backtick := regexp.MustCompile("<summary>[^<]*`")
	for _, l := range course.AllLessons() {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range nb.Cells {
			if c.Type == nbformat.Markdown {
				require.NotRegexp(t, backtick, c.Source, "cell %s of %s: write <code>…</code>", c.ID, l.Notebook)
			}
		}
	}
}

// Every Go cell has its own imports and depends on no other cell, so it runs right after a restart
// of the kernel. Only the check of the host exercise needs the learner's function.
func TestEveryGoCellStandsOnItsOwn(t *testing.T) {
	coursetest.NeedsChange(t, "notebooks/", "pkg/")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	work := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(work, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	version := regexp.MustCompile(`(?m)^go .*$`).FindString(read(t, filepath.Join(root, "go.mod")))
	write("go.mod", "module cells\n\n"+version+"\n")
	write("go.work", version+"\n\nuse (\n\t.\n\t"+root+"\n)\n")
	for name, nb := range later(t) {
		var host, imports string
		for _, cell := range goCells(nb) {
			require.True(t, strings.HasPrefix(cell.Source, "%noautoget\nimport "), "cell %s of %s does not begin with its imports", cell.ID, name)
			if strings.HasSuffix(cell.ID, "-host") {
				imports, host, _ = strings.Cut(cell.Source, "\n\n")
			}
			program := program(cell.Source)
			if slices.ContainsFunc(course.OnHost, func(e *course.Exercise) bool { return cell.ID == e.ID+"-check" }) {
				program += host
				for _, imported := range regexp.MustCompile(`".+"`).FindAllString(imports, -1) {
					if !strings.Contains(cell.Source, imported) {
						program = strings.Replace(program, "package main\n", "package main\n\nimport "+imported+"\n", 1)
					}
				}
			}
			write(filepath.Join(strings.TrimSuffix(name, ".ipynb"), cell.ID, "main.go"), program)
		}
	}
	vet := exec.CommandContext(t.Context(), "go", "vet", "./...") // unlike go build, it links no program
	vet.Dir = work
	vet.Env = append(os.Environ(), "GOWORK="+filepath.Join(work, "go.work"))
	said, err := vet.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

// The text above a shader says what the check runs, and links the page about WGSL.
func TestTasksSayWhatTheCheckRuns(t *testing.T) {
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for i, cell := range nb.Cells {
			file, writes := cell.WrittenFile()
			if !writes || example.MatchString(file.Path) {
				continue
			}
			task := nb.Cells[i-1].Source
			require.Regexp(t, `\]\((\.\./)?wgsl\.md\)`, task, "the task of %s", file.Path)
			require.Regexp(t, `[Tt]he check (runs|tries)`, task, "the task of %s", file.Path)
		}
	}
}

// The text above a host program links the page about the host's calls, on the site as well.
func TestHostTasksLinkTheirCalls(t *testing.T) {
	instead, err := filepath.Glob(filepath.Join("..", "fronts", "page", "assets", "instead", "*.host-*-task.md"))
	require.NoError(t, err)
	require.NotEmpty(t, instead)
	for _, path := range instead {
		require.Contains(t, read(t, path), "webgpu.md)", path)
	}
	found := 0
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for i, cell := range nb.Cells {
			if strings.HasPrefix(cell.ID, "host-") && strings.HasSuffix(cell.ID, "-host") {
				require.Regexp(t, `\]\((\.\./)?webgpu\.md\)`, nb.Cells[i-1].Source, "the task of %s", cell.ID)
				found++
			}
		}
	}
	require.Equal(t, len(instead), found)
}

var (
	snippet     = regexp.MustCompile("(?s)```wgsl\n(.*?)```")
	declaration = regexp.MustCompile(`(?m)^(@|struct|fn|var<)`)
)

// The snippets of the page about WGSL compile, unless they say that they don't. Statements stand in
// a function.
func TestTheLanguagePageIsTrue(t *testing.T) {
	text := read(t, filepath.Join("..", "..", "notebooks", "wgsl.md"))
	refused := 0
	for _, match := range snippet.FindAllStringSubmatch(text, -1) {
		code := match[1]
		if !declaration.MatchString(code) {
			code = "@compute @workgroup_size(1)\nfn main() {\n" + code + "}\n"
		}
		mistake := shader.Read("wgsl.md", code).Mistake()
		if strings.Contains(code, "// does not compile") {
			require.NotNil(t, mistake, "%s", code)
			refused++
			continue
		}
		require.Nil(t, mistake, "%s", code)
	}
	require.NotZero(t, refused)
}

// program returns a cell as the program that GoNB makes of it.
func program(source string) string {
	source = strings.TrimPrefix(source, "%noautoget\n")
	declarations, body, found := strings.Cut(source, "\n%%\n")
	if !found {
		return "package main\n\n" + declarations + "\n\nfunc main() {}\n"
	}
	return "package main\n\n" + declarations + "\n\nfunc main() {\n" + body + "\n}\n\n"
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// Worked examples have the layout of wgslab fmt.
func TestExamplesAreFormatted(t *testing.T) {
	examples := 0
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range nb.Cells {
			file, ok := c.WrittenFile()
			if !ok || !example.MatchString(file.Path) {
				continue
			}
			examples++
			want, err := format.Format(file.Body)
			require.NoError(t, err, "%s %s", l.Notebook, c.ID)
			require.Equal(t, want, strings.TrimRight(file.Body, "\n")+"\n", "%s %s", l.Notebook, c.ID)
		}
	}
	require.Greater(t, examples, 10)
}

var glossaryEntry = regexp.MustCompile(`(?m)^- \*\*([^*]+)\*\* \(\[\d+\]\(([^)]+\.ipynb)\)\): .+$`)

// The glossary is short, and each of its words is in the lesson that it names.
func TestGlossary(t *testing.T) {
	text := read(t, filepath.Join("..", "..", "notebooks", "glossary.md"))
	entries := glossaryEntry.FindAllStringSubmatch(text, -1)
	require.Len(t, entries, strings.Count(text, "\n- "), "an entry has a word in bold, its lesson and what it means")
	require.LessOrEqual(t, len(entries), 60)
	for _, entry := range entries {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", entry[2]))
		require.NoError(t, err)
		said := slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool {
			return c.Type == nbformat.Markdown && strings.Contains(strings.ToLower(c.Source), strings.ToLower(entry[1]))
		})
		require.True(t, said, "%s doesn't say %q", entry[2], entry[1])
	}
}

// Each lesson asks once for an explanation, and the lines from memory are asked for, all of them
// word for word. Such a cell is a call that the kernel answers.
func TestLessonsAskForWords(t *testing.T) {
	wanted := map[string]int{} // by cell, the lesson
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		e, err := course.FindLessonQuestion(l.Number)
		require.NoError(t, err)
		require.Equal(t, l.Number, e.Lesson)
		require.LessOrEqual(t, strings.Count(e.Ours, ". ")+1, 2, "two sentences: %s", e.Ours)
		wanted[e.Cell()] = e.Lesson
	}
	for id, lesson := range map[string]int{"matmul": 5, "row-max": 7} {
		l, err := course.FindLine(id)
		require.NoError(t, err)
		e, err := course.Find(id)
		require.NoError(t, err)
		require.Equal(t, lesson-2, e.Lesson, "it was written two lessons before")
		same, err := l.With(l.Ours)
		require.NoError(t, err)
		reference, err := e.Reference()
		require.NoError(t, err)
		require.Equal(t, reference.Text, same)
		wanted[l.Cell()] = lesson
	}
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range nb.Cells {
			if !strings.Contains(c.Source, "check.Explain(") && !strings.Contains(c.Source, "check.Line(") {
				continue
			}
			require.Equal(t, l.Number, wanted[c.Source], "cell %s of %s", c.ID, l.Notebook)
			delete(wanted, c.Source)
			_, ok := cell.Read(c.Source).Call()
			require.True(t, ok, c.Source)
		}
	}
	require.Empty(t, wanted, "no notebook asks for these")
}
