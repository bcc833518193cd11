//go:build acceptance

package check_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A strangeProgram is a wrong program whose mistake is in known lines.
type strangeProgram struct {
	hostProgram
	script bool
	lines  []int
}

// saysPlace matches what a program's first comment says of the lines of its mistake: a line with a
// text is one as well, or the only one.
var saysPlace = regexp.MustCompile(`(?m)^// (place|only): (.*)$`)

// strange reads the wrong programs below folders, with the lines of their mistakes.
func strange(t *testing.T, files *exercises.Unfolded) (programs []strangeProgram) {
	for _, e := range course.OnHost {
		if e.Host.Parts {
			continue
		}
		names, err := files.Glob(e.ID + "/wrong/*")
		require.NoError(t, err)
		for _, name := range names {
			if ext := path.Ext(name); ext != ".go" && ext != ".js" {
				continue
			}
			text, err := files.ReadFile(name)
			require.NoError(t, err)
			lines, err := files.Edited(name)
			require.NoError(t, err)
			lines = besideRemoved(exercises.Files, e.ID, string(text), path.Ext(name), lines)
			text = []byte(strings.TrimPrefix(string(text), "//go:build ignore\n"))
			if path.Ext(name) == ".go" {
				for i := range lines {
					lines[i]--
				}
			}
			p := strangeProgram{hostProgram{exercise: e.ID, work: e.Host, text: string(text)}, path.Ext(name) == ".js", lines}
			p.name = strings.Replace(name, "/wrong/", "/", 1)
			for _, said := range saysPlace.FindAllStringSubmatch(p.text, -1) {
				if said[1] == "only" {
					p.lines = nil
				}
				for i, line := range strings.Split(p.text, "\n") {
					if strings.Contains(line, said[2]) && !strings.HasPrefix(line, "//") {
						p.lines = append(p.lines, i+1)
					}
				}
			}
			programs = append(programs, p)
		}
	}
	return programs
}

// besideRemoved adds the statement before a place where an edit removes or moves lines: such a
// mistake lies between two statements.
func besideRemoved(files *exercises.Unfolded, id, text, ext string, edited []int) []int {
	right, _ := files.ReadFile(id + "/reference" + ext)
	lines := strings.Split(text, "\n")
	for _, line := range slices.Clone(edited) {
		if line > len(lines) || !strings.Contains(string(right), lines[line-1]) {
			continue // an added line
		}
		depth := 0
		for at := line - 1; at > 0; at-- {
			edited = append(edited, at)
			depth += strings.Count(lines[at-1], ")") + strings.Count(lines[at-1], "}") - strings.Count(lines[at-1], "(") - strings.Count(lines[at-1], "{")
			if depth <= 0 && strings.TrimSpace(lines[at-1]) != "" {
				break
			}
		}
	}
	return edited
}

// archive reads folders in the format of golang.org/x/tools/txtar, beside the references of the
// exercises.
func archive(t *testing.T, name string) *exercises.Unfolded {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	files := fstest.MapFS{}
	for _, part := range regexp.MustCompile(`(?m)^-- (.+) --\n`).Split(string(text), -1)[1:] {
		id, _, _ := strings.Cut(strings.TrimPrefix(part, "# "), ":")
		files[id+"/wrong.md"] = &fstest.MapFile{Data: []byte(part)}
		for _, reference := range []string{id + "/reference.go", id + "/reference.js"} {
			data, err := fs.ReadFile(exercises.Files, reference)
			require.NoError(t, err)
			files[reference] = &fstest.MapFile{Data: data}
		}
	}
	return exercises.Unfold(files)
}

// judgeStrange judges programs in Go and JavaScript.
func judgeStrange(t *testing.T, programs []strangeProgram) map[string]host.HostReport {
	var inGo []hostProgram
	for _, p := range programs {
		if !p.script {
			inGo = append(inGo, p.hostProgram)
		}
	}
	binary := buildHostPrograms(t, inGo)
	reports := map[string]host.HostReport{}
	for _, p := range inGo {
		command := runHostProgram(t, binary, p.name, nil)
		order := host.HostOrder{Report: filepath.Join(t.TempDir(), "report.json"), Seed: 11}
		command.Env = append(command.Env, order.Environ())
		output, _ := command.CombinedOutput()
		r, err := host.ReadReport(order.Report)
		require.NoError(t, err, "%s: %s", p.name, output)
		reports[p.name] = r
	}
	t.Setenv("WGSLAB_ENGINE", "simulator")
	classes, err := os.ReadFile(filepath.Join("..", "..", "internal", "fronts", "page", "assets", "gpu.js"))
	require.NoError(t, err)
	require.NoError(t, script.Open(string(classes)))
	var c script.Checker
	for _, p := range programs {
		if !p.script {
			continue
		}
		j, err := c.Check(context.Background(), p.exercise, &script.Program{File: p.name, Text: p.text, Kind: shader.Simulated}, 11)
		require.NoError(t, err, p.name)
		reports[p.name] = host.ReportOn(j)
	}
	return reports
}

// linesNamed returns the lines that a verdict shows or names, the first place first.
func linesNamed(r host.HostReport) (lines []int) {
	add := func(line int) {
		if line > 0 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	add(r.Verdict.Line)
	for _, p := range r.Verdict.Places {
		add(p.Line)
	}
	for _, m := range regexp.MustCompile(`\blines? (\d+)`).FindAllStringSubmatch(r.All, -1) {
		line, _ := strconv.Atoi(m[1])
		add(line)
	}
	return lines
}

// shares counts what the verdicts on programs say: how many have a name, show a line of the mistake
// first, and have one among three. It holds them to percentages.
func shares(t *testing.T, programs []strangeProgram, reports map[string]host.HostReport, named, first, three int) {
	type share struct{ all, rejected, named, first, three int }
	count := map[string]*share{"Go": {}, "JavaScript": {}}
	for _, p := range programs {
		s := count[map[bool]string{false: "Go", true: "JavaScript"}[p.script]]
		r := reports[p.name]
		s.all++
		if r.Verdict == nil {
			t.Logf("NOTHING %s: %+v", p.name, r)
			continue
		}
		if r.Verdict.Passed() {
			t.Logf("PASSES %s", p.name)
			continue
		}
		s.rejected++
		if r.Verdict.Slug != "" {
			s.named++
		}
		at := slices.IndexFunc(linesNamed(r), func(line int) bool { return slices.Contains(p.lines, line) })
		if at == 0 {
			s.first++
		}
		if at >= 0 && at < 3 {
			s.three++
		}
		if at != 0 || r.Verdict.Slug == "" {
			t.Logf("%s %d: %s true %v named %v\n%s", map[bool]string{true: "NAMELESS"}[r.Verdict.Slug == ""], at, p.name, p.lines, linesNamed(r), r.All)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(count)) {
		s := count[language]
		per := func(n int) string { return fmt.Sprintf("%d (%d %%)", n, 100*n/max(1, s.all)) }
		require.Equal(t, s.all, s.rejected, "all programs are wrong")
		for what, share := range map[string][2]int{"named": {s.named, named}, "first": {s.first, first}, "three": {s.three, three}} {
			require.GreaterOrEqual(t, 100*share[0], share[1]*s.all, "%s, %s", language, what)
		}
		t.Logf("%s: %d programs, rejected %s, named %s, first place %s, three %s", language, s.all, per(s.rejected), per(s.named), per(s.first), per(s.three))
	}
}

// Most verdicts on wrong programs have a name, and show the line of the mistake. The archive's
// programs are edits of the references that were written from the notebooks, without sight of the
// check. The course's own go without their words: no known result names them.
func TestHostShares(t *testing.T) {
	t.Run("fresh", func(t *testing.T) {
		programs := strange(t, archive(t, "hosts.txtar"))
		shares(t, programs, judgeStrange(t, programs), 95, 84, 88)
	})
	t.Run("course", func(t *testing.T) {
		t.Setenv("WGSLAB_HOST_PLAIN", "1")
		for _, e := range course.OnHost {
			known := e.Host.Mistakes
			e.Host.Mistakes = nil
			t.Cleanup(func() { e.Host.Mistakes = known })
		}
		var programs []strangeProgram
		for _, p := range strange(t, exercises.Files) {
			d := course.Diagnosis(strings.TrimLeft(p.text, "\n"))
			if d != "endless" && d != "no-poll" && !strings.Contains(p.name, "forever") { // they take seconds
				programs = append(programs, p)
			}
		}
		shares(t, programs, judgeStrange(t, programs), 95, 72, 76)
	})
}
