package check_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/learner"
)

// placeless lists the programs that show no line: those that are right, and those without a call.
var placeless = map[string]bool{"": true, "stub": true, "host-add/no-call": true, "host-upload/returns-nothing": true, "host-pipeline/returns-nothing": true, "host-device/only-the-adapter": true}

// inOneLine returns a verdict without its line breaks, and with the names of a program's functions
// as the program has them.
func inOneLine(verdict, program string) string {
	for _, f := range declaredFunctions.FindAllStringSubmatch(program, -1) {
		verdict = regexp.MustCompile(`\b`+f[1]+`\d+`).ReplaceAllString(verdict, f[1])
	}
	verdict, _, _ = strings.Cut(verdict, "Your calls, step by step")
	return strings.Join(strings.Fields(verdict), " ")
}

// lacking names the step that a program leaves out, and so its road.
var lacking = map[string]string{"host-add/not-submitted": "submit", "host-add/no-copy": "copy"}

// A hostProgram is a right or wrong solution, with the diagnosis that its first line names.
type hostProgram struct {
	name, exercise, text, diagnosis string
	work                            *course.HostWork
}

// sentences matches the lines of a wrong solution with words that its verdict has or doesn't have.
var sentences = regexp.MustCompile(`(?m)^// (says|never): (.*)$`)

// Every wrong solution of an exercise in Go gets the diagnosis that it names, in words that are
// true of it, and every right one passes. All of them are functions of one program, which runs one
// of them.
func TestHostSolutions(t *testing.T) {
	programs := hostPrograms(t)
	binary := buildHostPrograms(t, programs)
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			command := runHostProgram(t, binary, p.name, nil)
			output, err := command.CombinedOutput()
			require.Equal(t, p.diagnosis == "", err == nil, "%s", output)
			journal, err := os.ReadFile(filepath.Join(command.Dir, "work", "journal.jsonl"))
			require.NoError(t, err, "%s", output)
			var try learner.Try
			require.NoError(t, json.Unmarshal(journal, &try))
			require.Equal(t, p.diagnosis, try.Diagnosis, "%s", output)
			said := inOneLine(string(output), p.text)
			for _, s := range sentences.FindAllStringSubmatch(p.text, -1) {
				require.Equal(t, s[1] == "says", strings.Contains(said, s[2]), "%s: %s\n%s", s[1], s[2], said)
			}
			if !placeless[p.diagnosis] && !placeless[p.name] && (!p.work.Parts || p.diagnosis == "panic") {
				require.Regexp(t, `(?m)^\s+\d+ \| `, string(output), "it shows a line")
			}
			require.Equal(t, p.diagnosis != "stub" && !p.work.Parts && !p.work.Opens, strings.Contains(string(output), "Your calls, step by step"), "%s", output)
			if missing := lacking[p.name]; missing != "" {
				require.Regexp(t, `(?m)^• `+missing+` +missing$`, string(output), "the road shows what is missing")
			}
			t.Logf("%s", output)
		})
	}
}

// Every right shader of an exercise runs in the right program for it, also where the check gives it
// another workgroup size.
func TestHostRunsEveryRightShader(t *testing.T) {
	programs := slices.DeleteFunc(hostPrograms(t), func(p hostProgram) bool {
		return path.Base(p.name) != "reference" || p.work.Parts
	})
	binary := buildHostPrograms(t, programs)
	for _, p := range programs {
		host, err := host.Find(p.exercise)
		require.NoError(t, err)
		for _, id := range host.Work.Shaders {
			right, err := exercises.Files.Glob(id + "/right/*.wgsl")
			require.NoError(t, err)
			require.NotEmpty(t, right)
			for _, shader := range coursetest.One(t, right) {
				t.Run(path.Join(p.exercise, id, filepath.Base(shader)), func(t *testing.T) {
					t.Parallel()
					if largeUniforms[filepath.Base(shader)] {
						t.Skip("its uniform has 16 bytes, and the rule says so")
					}
					text, err := exercises.Files.ReadFile(shader)
					require.NoError(t, err)
					output, err := runHostProgram(t, binary, p.name, map[string]string{id + ".wgsl": string(text)}).CombinedOutput()
					require.NoError(t, err, "%s", output)
					require.NotContains(t, string(output), "does not pass its check", "%s", output)
				})
			}
		}
	}
}

// largeUniforms lists the right shaders of saxpy whose uniform is larger than two numbers.
var largeUniforms = map[string]bool{"pair-of-words.wgsl": true, "other-names-and-types.wgsl": true}

// runHostProgram returns the command that runs one of the programs, with files in its folder work.
func runHostProgram(t *testing.T, binary, name string, files map[string]string) *exec.Cmd {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "work"), 0o755))
	for file, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "work", file), []byte(text), 0o644))
	}
	command := exec.CommandContext(t.Context(), binary, name)
	command.Dir = dir
	command.Env = append(os.Environ(), "WGSLAB_ENGINE=simulator")
	return command
}

// declaredFunctions matches the names of a program's functions.
var declaredFunctions = regexp.MustCompile(`(?m)^func (\w+)`)

// hostPrograms reads the solutions.
func hostPrograms(t *testing.T) (programs []hostProgram) {
	for _, e := range course.OnHost {
		id := e.ID
		paths, err := exercises.Files.Glob(id + "/wrong/*.go")
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		right, err := exercises.Files.Glob(id + "/right/*.go")
		require.NoError(t, err)
		paths = append(append(paths, right...), id+"/reference.go", id+"/skeleton.go")
		for _, path := range paths {
			text, err := exercises.Files.ReadFile(path)
			require.NoError(t, err)
			p := hostProgram{exercise: id, work: e.Host, text: string(text)}
			p.name = id + "/" + strings.TrimSuffix(filepath.Base(path), ".go")
			switch {
			case filepath.Base(path) == "reference.go":
			case filepath.Base(filepath.Dir(path)) == "right":
				p.name = id + "/right/" + strings.TrimSuffix(filepath.Base(path), ".go")
			case filepath.Base(path) == "skeleton.go":
				p.diagnosis = "stub"
			default:
				p.diagnosis = course.Diagnosis(strings.TrimPrefix(p.text, "//go:build ignore\n\n"))
				require.NotEmpty(t, p.diagnosis, path)
			}
			programs = append(programs, p)
		}
	}
	return programs
}

// buildHostPrograms compiles all solutions into one program. Its files exist only for the compiler.
func buildHostPrograms(t *testing.T, programs []hostProgram) (binary string) {
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	replace := map[string]string{}
	add := func(name, text string) {
		real, shown := filepath.Join(dir, name), filepath.Join(dir, "shown-"+name) // the check reads the file of a call
		require.NoError(t, os.WriteFile(shown, []byte(text), 0o644))
		require.NoError(t, os.WriteFile(real, []byte("//line "+shown+":1\n"+text), 0o644))
		replace[filepath.Join(root, "pkg", "check", "hostprograms", name)] = real
	}
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"os\"\n\n\t\"github.com/wgslab/wgslab/internal/course\"\n\t\"github.com/wgslab/wgslab/pkg/check\"\n)\n\nfunc main() {\n")
	main.WriteString("\tfor _, e := range course.OnHost {\n\t\tif os.Getenv(\"WGSLAB_HOST_PLAIN\") != \"\" {\n\t\t\te.Host.Mistakes = nil\n\t\t}\n\t}\n\tswitch os.Args[1] {\n")
	for i, p := range programs {
		text := strings.Replace(p.text, "//go:build ignore\n", "", 1)
		pieces, err := host.GoCompanion(text, "")
		require.NoError(t, err)
		beside := pieces.Go("reference.go")
		other := fmt.Sprintf("${1}${2}%d$3", i)
		for _, f := range declaredFunctions.FindAllStringSubmatch(text, -1) {
			text = regexp.MustCompile(`(^|[^.\w])(`+f[1]+`)([(\[)]|\b )`).ReplaceAllString(text, other)
		}
		for _, f := range declaredFunctions.FindAllStringSubmatch(beside, -1) {
			call := regexp.MustCompile(`(^|[^.\w])(` + f[1] + `)([(\[])`) // a parameter may have the name of a piece
			text, beside = call.ReplaceAllString(text, other), call.ReplaceAllString(beside, other)
		}
		add(fmt.Sprintf("program%d.go", i), text)
		if !pieces.Empty() {
			add(fmt.Sprintf("beside%d.go", i), beside)
		}
		call := fmt.Sprintf("check.Host(%q, ", p.exercise)
		fmt.Fprintf(&main, "\tcase %q:\n\t\t%s%s%d)\n", p.name, call, p.work.Function, i)
	}
	add("main.go", main.String()+"\t}\n}\n")
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o644))
	binary = filepath.Join(dir, "hostprograms")
	command := exec.CommandContext(t.Context(), "go", "build", "-overlay="+list, "-o", binary, "./pkg/check/hostprograms")
	command.Dir = root
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return binary
}
