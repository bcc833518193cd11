//go:build acceptance

package acceptance

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Tests the nbgrader half of docs/instructors.md, from the release to the points. It
// runs the exact commands with the real nbgrader and the real kernel, on a small
// class.
func TestNbgraderGradesAClass(t *testing.T) {
	shell := newInstructor(t)
	folder := filepath.Join(shell.dir, "gpu-course")
	done := map[string]func(*testing.T){
		"wgslab release ../gpu-course": func(t *testing.T) {
			requireReleased(t, folder)
			handIn(t, filepath.Join(shell.dir, "handed-in"), folder)
		},
		"python3 -m zipfile": func(t *testing.T) {
			requireZip(t, filepath.Join(folder, "wgslab.zip"))
		},
		"nbgrader export": func(t *testing.T) {
			requirePoints(t, folder)
			requireFeedback(t, folder)
		},
		"--force": func(t *testing.T) { requirePoints(t, folder) },
		"--by-lesson": func(t *testing.T) {
			requireByLesson(t, filepath.Join(shell.dir, "gpu-2027"))
		},
	}
	for _, block := range shellBlocks(t, "With nbgrader") {
		if strings.HasPrefix(block, "jupyter lab ") {
			shell.serve(t, block, "/formgrader/gradebook", "nbgrader formgrade")
			continue
		}
		shell.run(t, block)
		for command, check := range done {
			if strings.Contains(block, command) {
				check(t)
			}
		}
	}
}

// shellBlocks returns the commands in a section of docs/instructors.md.
func shellBlocks(t *testing.T, section string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(lab.Root(t), "docs", "instructors.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
	require.True(t, found, "docs/instructors.md has the section %q", section)
	body := regexp.MustCompile(`\n## [A-Z]`).Split(rest, 2)[0] // solutions begin with `## name`
	var blocks []string
	for _, match := range regexp.MustCompile("(?ms)^````sh\n(.*?)^````$|^```sh\n(.*?)^```$").FindAllStringSubmatch(body, -1) {
		blocks = append(blocks, match[1]+match[2])
	}
	require.NotEmpty(t, blocks)
	return blocks
}

// instructor is a shell that keeps its folder and PATH from one block of
// commands to the next. It starts in a copy of the clone.
type instructor struct {
	dir string // contains the clone and the files next to it
	env []string
}

func newInstructor(t *testing.T) *instructor {
	t.Helper()
	root, dir := lab.Root(t), t.TempDir()
	clone := filepath.Join(dir, "wgslab")
	bin := filepath.Join(clone, ".build", "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	for _, name := range []string{"go.mod", "go.sum", ".venv", "notebooks", "internal", "pkg", "exercises", "shaders", "weights"} {
		require.NoError(t, os.Symlink(filepath.Join(root, name), filepath.Join(clone, name)))
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/wgslab")
	build.Dir = root
	said, err := build.CombinedOutput()
	require.NoError(t, err, "building wgslab: %s", said)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "state"), fmt.Appendf(nil, "cd %q", clone), 0o644))
	return &instructor{dir: dir, env: append(os.Environ(), // without the user's own settings
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "jupyter", "config"),
		"JUPYTER_DATA_DIR="+filepath.Join(dir, "jupyter", "data"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "jupyter", "runtime"),
		"IPYTHONDIR="+filepath.Join(dir, "jupyter", "ipython"),
		"STATE="+filepath.Join(dir, "state"),
	)}
}

// command returns a block of commands as a process with its own process group.
func (i *instructor) command(ctx context.Context, block string) *exec.Cmd {
	command := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", "source \"$STATE\"\n"+block)
	command.Env = i.env
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 20 * time.Second
	return command
}

// run runs a block of commands to its end.
func (i *instructor) run(t *testing.T, block string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	began := time.Now()
	said, err := i.command(ctx, block+"\n{ declare -px PATH; printf 'cd %q\\n' \"$PWD\"; } >\"$STATE\"").CombinedOutput()
	require.NoError(t, err, "%s\n%s", block, said)
	t.Logf("%.1f s:\n%s", time.Since(began).Seconds(), block)
}

// serve starts a block of commands whose last one is a server, and waits until a
// page shows the expected text.
func (i *instructor) serve(t *testing.T, block, page, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	port := freePort(t)
	options := fmt.Sprintf(" --ServerApp.ip=127.0.0.1 --ServerApp.port=%d --IdentityProvider.token=t --no-browser --allow-root", port)
	command := i.command(ctx, "exec "+strings.TrimSpace(block)+options)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	require.NoError(t, command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	defer func() {
		cancel()
		<-ended
	}()
	url := fmt.Sprintf("http://127.0.0.1:%d%s?token=t", port, page)
	for {
		text, err := get(ctx, url)
		if err == nil {
			require.Contains(t, text, want, "what %s shows", page)
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", block, err, said.String())
		case <-ctx.Done():
			t.Fatalf("%s does not answer: %v\n%s", page, err, said.String())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func get(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", reply.Status, text)
	}
	return string(text), err
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// requireReleased requires that nbgrader finds no problem, and that students get
// the cells that ship, without solutions.
func requireReleased(t *testing.T, folder string) {
	t.Helper()
	source, release := filepath.Join(folder, "source", "wgslab"), filepath.Join(folder, "release", "wgslab")
	paths := lab.Notebooks(t)
	for _, l := range course.Lessons {
		paths = append(paths, filepath.Join(source, l.Notebook), filepath.Join(release, l.Notebook))
		shipped := lab.Notebook(t, filepath.Join(lab.Root(t), "notebooks", l.Notebook))
		requireSameCells(t, shipped, lab.Notebook(t, filepath.Join(release, l.Notebook)))
		requireLinks(t, filepath.Join(release, l.Notebook), shipped)

		solved := lab.Notebook(t, filepath.Join(source, l.Notebook))
		for _, id := range lab.CheckedIn(shipped) {
			require.Contains(t, answer(t, solved, id).Source, "// BEGIN SOLUTION", "the instructor's %s", id)
		}
	}
	for _, l := range course.Beyond {
		for _, part := range []string{"source", "release"} {
			path := filepath.Join(folder, part, "beyond", l.Name()+".ipynb")
			requireLinks(t, path, lab.Notebook(t, path))
			paths = append(paths, path)
		}
	}
	var faults []string
	askNbgrader(t, &faults, append([]string{"marks"}, paths...)...)
	require.Empty(t, faults)
	for _, folder := range []string{source, release} {
		for _, name := range []string{"README.md", "TUTOR.md", "wgsl.md", "webgpu.md", "glossary.md", "work/README.md"} {
			require.FileExists(t, filepath.Join(folder, name))
		}
	}
	require.FileExists(t, filepath.Join(folder, "README.md"))
}

func requireSameCells(t *testing.T, want, got *nbformat.Notebook) {
	t.Helper()
	require.Len(t, got.Cells, len(want.Cells))
	for i, cell := range want.Cells {
		require.Equal(t, cell.ID, got.Cells[i].ID)
		require.Equal(t, cell.Type, got.Cells[i].Type)
		require.Equal(t, cell.Source, got.Cells[i].Source, "cell %s as nbgrader releases it", cell.ID)
	}
}

// answer returns the cell in which the learner writes an exercise.
func answer(t *testing.T, nb *nbformat.Notebook, id string) *nbformat.Cell {
	t.Helper()
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { found, ok := lab.AnswerOf(c); return ok && found == id })
	require.GreaterOrEqual(t, i, 0, "a cell for %s", id)
	return nb.Cells[i]
}

func requireZip(t *testing.T, path string) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer archive.Close()
	for _, l := range course.Lessons {
		require.True(t, slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "wgslab/"+l.Notebook }), "%s in the zip", l.Notebook)
	}
}

// requireByLesson requires that each lesson is a complete assignment, and that its
// links lead to the other lessons.
func requireByLesson(t *testing.T, folder string) {
	t.Helper()
	var assignments map[string]any
	askNbgrader(t, &assignments, "points", filepath.Join(folder, "gradebook.db"), "gpu-2027")
	all := slices.Concat(course.Lessons, course.Beyond)
	require.Len(t, assignments, len(all))
	for _, l := range all {
		name := l.Name()
		require.Contains(t, assignments, name)
		path := filepath.Join(folder, "release", name, name+".ipynb")
		nb := lab.Notebook(t, path)
		require.FileExists(t, filepath.Join(folder, "release", name, "work", "README.md"))
		for _, cell := range nb.Cells {
			for _, link := range mdLink.FindAllStringSubmatch(prose(cell), -1) {
				if !strings.Contains(link[3], "://") && !strings.HasPrefix(link[3], "#") {
					require.FileExists(t, filepath.Join(filepath.Dir(path), link[3]), "a link in %s, cell %s", l.Notebook, cell.ID)
				}
			}
		}
	}
}

// points holds a student's expected points for each check; a missing check gives 0.
type points map[string]float64

// class lists the students, their hand-ins and the expected points.
var class = map[string]struct {
	of   string // the starting point: the course's "source" (solved), or "release"
	work func(t *testing.T, add, forward *nbformat.Notebook)
	want points
}{
	"ada-solved-all": {
		of: "source", work: func(*testing.T, *nbformat.Notebook, *nbformat.Notebook) {},
		want: points{"add-check": 1, "vector-add-check": 2, "saxpy-check": 2, "linear-check": 2, "forward-check": 2, "host-add-check": 2, "host-saxpy-check": 1, "host-forward-check": 3, "host-rows-check": 2, "host-upload-check": 1, "host-pipeline-check": 1, "host-run-check": 1, "host-read-check": 1},
	},
	"bo-solved-nothing": {
		of: "release", work: func(*testing.T, *nbformat.Notebook, *nbformat.Notebook) {},
		want: points{},
	},
	"cy-is-half-right": {
		of: "source", work: func(t *testing.T, add, forward *nbformat.Notebook) {
			replace(t, answer(t, add, "vector-add"), "let i = id.x;", "let i = id.x")                    // does not compile
			replace(t, answer(t, add, "saxpy"), "params.alpha * x[i] + y[i]", "params.alpha * x[i]")     // another result
			replace(t, answer(t, forward, "forward"), "\tfirst, err1", "\tpanic(\"no\")\n\tfirst, err1") // crashes
			replace(t, answer(t, add, "host-add"), "(n+size-1)/size", "n/size")                          // too few workgroups
		},
		want: points{"add-check": 1, "linear-check": 2, "host-saxpy-check": 1, "host-forward-check": 3, "host-rows-check": 2, "host-upload-check": 1, "host-pipeline-check": 1, "host-run-check": 1, "host-read-check": 1},
	},
	"di-changed-the-checks": {
		of: "source", work: func(t *testing.T, add, forward *nbformat.Notebook) {
			remove(t, add, "add-check") // the shader is right
			replace(t, answer(t, add, "vector-add"), "= a[i] + b[i];", "= a[i] - b[i];")
			cell(t, add, "vector-add-check").Source = "%%\nfmt.Println(\"right\")"
			duplicate(t, add, "saxpy-shader", "saxpy-check") // as students do before an experiment
			remove(t, forward, "forward-host")
			remove(t, forward, "forward-check")
		},
		want: points{"add-check": 1, "saxpy-check": 2, "linear-check": 2, "host-add-check": 2, "host-saxpy-check": 1, "host-forward-check": 3, "host-rows-check": 2, "host-upload-check": 1, "host-pipeline-check": 1, "host-run-check": 1, "host-read-check": 1},
	},
	"ed-prints": {
		of: "source", work: func(t *testing.T, add, forward *nbformat.Notebook) {
			debug := &nbformat.Cell{ID: "debug", Type: nbformat.Code,
				Source: "%%\nfmt.Println(\"here\")\nfmt.Fprintln(os.Stderr, \"and here\")"}
			add.Cells = slices.Insert(add.Cells, slices.Index(add.Cells, cell(t, add, "add-check")), debug)
			replace(t, answer(t, forward, "forward"), "\tfirst, err1", "\tfmt.Println(\"rows:\", l.Rows)\n\tfirst, err1")
			replace(t, answer(t, forward, "forward"), "\"errors\"\n", "\"errors\"\n\t\"fmt\"\n")
		},
		want: points{"add-check": 1, "vector-add-check": 2, "saxpy-check": 2, "linear-check": 2, "forward-check": 2, "host-add-check": 2, "host-saxpy-check": 1, "host-forward-check": 3, "host-rows-check": 2, "host-upload-check": 1, "host-pipeline-check": 1, "host-run-check": 1, "host-read-check": 1},
	},
	"flo-prints-on-stderr": {
		of: "source", work: func(t *testing.T, add, forward *nbformat.Notebook) {
			replace(t, answer(t, forward, "forward"), "\tfirst, err1", "\tprintln(\"rows:\", l.Rows)\n\tfirst, err1")
			add.Cells = nil // not handed in
		},
		want: points{"linear-check": 2, "host-forward-check": 3, "host-rows-check": 2},
	},
	"gus-pretends": {
		of: "release", work: func(t *testing.T, add, forward *nbformat.Notebook) {
			replace(t, answer(t, forward, "forward"), "\t// Your lines go here.\n", "\tos.Exit(0)\n")
			add.Cells = nil
		},
		want: points{"forward-check": 2},
	},
}

// handIn writes one folder per student below dir, from the notebooks of an nbgrader course.
func handIn(t *testing.T, dir, nbgraderCourse string) {
	t.Helper()
	for student, s := range class {
		folder := filepath.Join(dir, strings.Split(student, "-")[0])
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "work"), 0o755))
		// A file that differs from the cells doesn't count.
		require.NoError(t, os.WriteFile(filepath.Join(folder, "work", "vector-add.wgsl"), []byte("stale"), 0o444))
		add := lab.Notebook(t, filepath.Join(nbgraderCourse, s.of, "wgslab", "02-add.ipynb"))
		forward := lab.Notebook(t, filepath.Join(nbgraderCourse, s.of, "wgslab", "06-forward.ipynb"))
		for _, slow := range []string{"slow", "see", "time"} { // these folders hold no graded cells
			remove(t, forward, slow)
		}
		s.work(t, add, forward)
		for name, nb := range map[string]*nbformat.Notebook{"02-add.ipynb": add, "06-forward.ipynb": forward} {
			if len(nb.Cells) > 0 {
				require.NoError(t, nb.Write(filepath.Join(folder, name)))
			}
		}
	}
}

func cell(t *testing.T, nb *nbformat.Notebook, id string) *nbformat.Cell {
	t.Helper()
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	require.GreaterOrEqual(t, i, 0, "a cell with the id %s", id)
	return nb.Cells[i]
}

func remove(t *testing.T, nb *nbformat.Notebook, id string) {
	t.Helper()
	gone := cell(t, nb, id)
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *nbformat.Cell) bool { return c == gone })
}

// duplicate copies a cell as JupyterLab does, metadata and all, and puts the copy
// before another one.
func duplicate(t *testing.T, nb *nbformat.Notebook, id, before string) {
	t.Helper()
	twin := *cell(t, nb, id)
	twin.ID = id + "-copy"
	nb.Cells = slices.Insert(nb.Cells, slices.Index(nb.Cells, cell(t, nb, before)), &twin)
}

func replace(t *testing.T, c *nbformat.Cell, old, new string) {
	t.Helper()
	require.Contains(t, c.Source, old, "cell %s", c.ID)
	c.Source = strings.Replace(c.Source, old, new, 1)
}

// requirePoints checks the points in the gradebook and in nbgrader's export.
func requirePoints(t *testing.T, folder string) {
	t.Helper()
	most, all := make(points), 0.0
	for _, e := range append(course.Written(), course.OnHost...) {
		if e.IsBeyond() {
			continue // an assignment of its own
		}
		most[e.ID+"-check"] = float64(e.Points)
		all += float64(e.Points)
	}
	var gradebook map[string]map[string]map[string][2]float64
	askNbgrader(t, &gradebook, "points", filepath.Join(folder, "gradebook.db"), "wgslab")
	grades, err := os.ReadFile(filepath.Join(folder, "grades.csv"))
	require.NoError(t, err)
	for student, s := range class {
		name := strings.Split(student, "-")[0]
		got, max, sum := make(points), make(points), 0.0
		for check, of := range gradebook["wgslab"][name] {
			if max[check] = of[1]; of[0] != 0 {
				got[check] = of[0]
			}
			sum += of[0]
		}
		require.Equal(t, s.want, got, "the points of %s", student)
		require.Equal(t, most, max, "the most that %s can get", student)
		require.Regexp(t, fmt.Sprintf(`(?m)^wgslab,.*,%s,.*,%.1f,0\.0,%.1f,%.1f\r?$`, name, sum, sum, all), string(grades))
	}
}

// requireFeedback requires that students see the verdicts of the checks.
func requireFeedback(t *testing.T, folder string) {
	t.Helper()
	for name, want := range map[string]string{"ada": "vector-add: right", "bo": "Nothing is written yet"} {
		text, err := os.ReadFile(filepath.Join(folder, "feedback", name, "wgslab", "02-add.html"))
		require.NoError(t, err)
		require.Contains(t, string(text), want, "the feedback for %s", name)
	}
}

// askNbgrader returns an answer of testdata/ask_nbgrader.py.
func askNbgrader(t *testing.T, answer any, arguments ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bin := filepath.Join(lab.Root(t), ".venv", "bin")
	command := exec.CommandContext(ctx, filepath.Join(bin, "python"), append([]string{filepath.Join("testdata", "ask_nbgrader.py")}, arguments...)...)
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH")) // nbgrader starts alembic by name
	var complaints bytes.Buffer
	command.Stderr = &complaints
	said, err := command.Output()
	require.NoError(t, err, "asking nbgrader: %s", &complaints)
	require.NoError(t, json.Unmarshal(said, answer), "nbgrader's answer: %s", said)
}
