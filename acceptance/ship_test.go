package acceptance

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

func TestJupyterFindsNoFault(t *testing.T) {
	arguments := append([]string{filepath.Join("testdata", "validate.py")}, lab.WithBeyond(t)...)
	command := exec.Command(filepath.Join(lab.Root(t), ".venv", "bin", "python"), arguments...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	require.NoError(t, command.Run(), "nbformat (run make setup if it is not there): %s", &said)
}

// Notebooks ship without outputs: learners see only the output of their own runs.
func TestNotebooksShip(t *testing.T) {
	for _, path := range lab.WithBeyond(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			nb := lab.Notebook(t, path)
			spec, _ := nb.Metadata["kernelspec"].(map[string]any)
			require.Equal(t, "gonb", spec["name"], "the kernel that the notebook asks for")
			require.Equal(t, "go", spec["language"], "the kernel's language")
			language, _ := nb.Metadata["language_info"].(map[string]any)
			require.Equal(t, "go", language["name"], "the notebook's language")
			for _, cell := range nb.Cells {
				require.Empty(t, cell.Outputs, "outputs of cell %s", cell.ID)
				require.Nil(t, cell.ExecutionCount, "execution count of cell %s", cell.ID)
				require.Regexp(t, stableID, cell.ID, "the id of a cell is a name that stays, like vector-add-check")
			}
			requireLinks(t, path, nb)
			requireNoStrayTags(t, nb)
		})
	}
}

// Ids are stable words; JupyterLab's own ids are random.
var stableID = regexp.MustCompile(`^[a-z]+(-?[a-z0-9]+)*$`)

var (
	fence      = regexp.MustCompile("(?ms)^```.*?^```\\s*$")
	codeSpan   = regexp.MustCompile("`+[^`]*`+")
	mdLink     = regexp.MustCompile(`(!?)\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	htmlTarget = regexp.MustCompile(`(?i)\b(?:src|href)\s*=\s*["']([^"']+)["']`)
	htmlImage  = regexp.MustCompile(`(?i)<img\b[^>]*>`)
	altText    = regexp.MustCompile(`(?i)\balt\s*=\s*["'][^"']+["']`)
	htmlTag    = regexp.MustCompile(`</?([A-Za-z][A-Za-z0-9_-]*)[^<>]*>`)
)

// prose returns a text cell without its code.
func prose(cell *nbformat.Cell) string {
	if cell.Type != nbformat.Markdown {
		return ""
	}
	return codeSpan.ReplaceAllString(fence.ReplaceAllString(cell.Source, ""), "code")
}

// requireLinks requires that a notebook's links lead to files in the folder that
// JupyterLab serves, and that images have alternative texts.
func requireLinks(t *testing.T, path string, nb *nbformat.Notebook) {
	t.Helper()
	for _, cell := range nb.Cells {
		text := prose(cell)
		var targets []string
		for _, link := range mdLink.FindAllStringSubmatch(text, -1) {
			targets = append(targets, link[3])
			require.False(t, link[1] == "!" && strings.TrimSpace(link[2]) == "", "cell %s: the picture %s has no alternative text", cell.ID, link[3])
		}
		for _, link := range htmlTarget.FindAllStringSubmatch(text, -1) {
			targets = append(targets, link[1])
		}
		for _, image := range htmlImage.FindAllString(text, -1) {
			require.Regexp(t, altText, image, "cell %s: a picture has no alternative text", cell.ID)
		}
		for _, target := range targets {
			require.NoError(t, reachable(filepath.Dir(path), target), "cell %s", cell.ID)
		}
	}
}

// reachable returns an error that says why a link in a notebook is broken.
func reachable(folder, target string) error {
	u, err := url.Parse(target)
	if err != nil {
		return fmt.Errorf("the link %s cannot be read: %w", target, err)
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return nil
	}
	if u.Path == "" {
		return nil
	}
	served, file := folder, filepath.Join(folder, u.Path)
	if filepath.Base(folder) == "beyond" { // it shares a parent with the lessons, here and in a release
		served = filepath.Dir(folder)
	}
	if below, err := filepath.Rel(served, file); err != nil || !filepath.IsLocal(below) {
		return fmt.Errorf("the link %s leads out of notebooks/, where JupyterLab cannot follow it", target)
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("the link %s leads nowhere: %w", target, err)
	}
	return nil
}

// tags lists the tags that texts use. Any other is most likely a type, like
// array<f32>, outside a code span, and would be invisible.
var tags = []string{"a", "br", "code", "details", "img", "kbd", "summary", "sub", "sup"}

func requireNoStrayTags(t *testing.T, nb *nbformat.Notebook) {
	t.Helper()
	for _, cell := range nb.Cells {
		for _, tag := range htmlTag.FindAllStringSubmatch(prose(cell), -1) {
			require.Contains(t, tags, strings.ToLower(tag[1]), "cell %s: %s is taken for mark-up and not shown; set it as code", cell.ID, tag[0])
		}
	}
}

// Every exercise of a lesson with a notebook appears once: its skeleton, then its
// check, then its hints.
func TestNotebooksHoldTheirExercises(t *testing.T) {
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		t.Run(l.Name(), func(t *testing.T) {
			var want []string
			for _, exercise := range l.Exercises() {
				want = append(want, exercise.ID)
			}
			nb := lab.Notebook(t, filepath.Join(lab.Root(t), "notebooks", l.Notebook))
			require.Equal(t, want, lab.CheckedIn(nb), "the checks of the notebook are the exercises of lesson %d", l.Number)
			require.Equal(t, want, answersIn(nb), "so are the cells that it leaves to the learner")
			for _, id := range want {
				requireExercise(t, nb, id)
			}
		})
	}
}

func answersIn(nb *nbformat.Notebook) []string {
	var ids []string
	for _, cell := range nb.Cells {
		if id, ok := lab.AnswerOf(cell); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func requireExercise(t *testing.T, nb *nbformat.Notebook, id string) {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	at := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { shader, ok := lab.AnswerOf(c); return ok && shader == id })
	switch {
	case exercise.IsOnHost():
		skeleton, err := exercise.SkeletonCell()
		require.NoError(t, err)
		require.Equal(t, skeleton, nb.Cells[at].Source, "cell %s holds the exercise's skeleton", nb.Cells[at].ID)
	default:
		requireSkeleton(t, nb.Cells[at], exercise)
	}
	check, _ := lab.Checked(nb.Cells[at+1])
	require.Equal(t, id, check, "the check comes right after the shader")
	require.Equal(t, lab.Displayed(exercise.Hints), lab.Displayed(hintsBehind(nb, at+1)), "the hints after the check of %s, in order", id)
}

func requireSkeleton(t *testing.T, cell *nbformat.Cell, exercise *course.Exercise) {
	t.Helper()
	skeleton, err := exercise.Skeleton()
	require.NoError(t, err)
	file, _ := cell.WrittenFile()
	require.Equal(t, "work/"+exercise.ID+".wgsl", file.Path)
	require.False(t, file.Append)
	require.Equal(t, strings.TrimSuffix(skeleton, "\n"), file.Body, "cell %s holds the lesson's skeleton", cell.ID)
}

var hint = regexp.MustCompile(`(?s)<details>\s*<summary>Hint (\d+)</summary>(.*?)</details>`)

// hintsBehind lists the hints between a check and the next learner's cell.
func hintsBehind(nb *nbformat.Notebook, check int) []string {
	var hints []string
	for _, cell := range nb.Cells[check+1:] {
		if _, ok := lab.AnswerOf(cell); ok {
			break
		}
		for _, match := range hint.FindAllStringSubmatch(cell.Source, -1) {
			text := fmt.Sprintf("numbered %s, not %d", match[1], len(hints)+1)
			if match[1] == fmt.Sprint(len(hints)+1) {
				text = strings.TrimSpace(match[2])
			}
			hints = append(hints, text)
		}
	}
	return hints
}
