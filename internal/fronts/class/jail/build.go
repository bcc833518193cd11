package jail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/childprocess"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
)

// The limits of building a program, which needs a fifth of a second for each step.
const (
	buildTime   = 10 * time.Second // of CPU time, for each step
	buildMemory = 1 << 30          // bytes
)

// A built program is what its build leaves, or the verdict on one that can't be built.
type built struct {
	program string
	wrong   *verdict.Verdict
	used    time.Duration // CPU time
}

// programName returns the name of a program's file. Its calls say that they are in it.
func (t Task) programName() string { return t.Exercise + "." + string(t.Language) }

// ownFile is the name of the host file of a program's author.
const ownFile = "host.go"

func (t Task) file(exercise *host.HostTask) *host.HandInFile {
	return &host.HandInFile{Exercise: exercise.Exercise, Path: t.programName(), Text: t.Source}
}

// build compiles and links a program in Go in a folder. Only the program itself is compiled: what
// it imports is read, and never written.
func (j *Jail) build(ctx context.Context, dir string, t Task) (b built, err error) {
	exercise, err := host.Find(t.Exercise)
	if err != nil {
		return b, err
	}
	f := t.file(exercise)
	if b.wrong = refuseGo(f, t.Seed); b.wrong != nil {
		return b, nil
	}
	beside, err := host.GoCompanion(f.Source(), t.Own)
	if err != nil {
		return b, err
	}
	for name, text := range map[string]string{
		f.Path: yielding(f.Source()), "main.go": mainOf(t.Exercise, exercise.Work.Function), "beside.go": yielding(beside.Go(ownFile)),
		"imports": strings.Join(j.Tools.imports, "\n"), "all": strings.Join(append([]string{"packagefile main=main.a"}, j.Tools.all...), "\n"), "files": strings.Join(j.Tools.files, "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return b, fmt.Errorf("writing the program to build: %w", err)
		}
	}
	for i, step := range [][]string{
		{j.Tools.compile, "-p=main", "-complete", "-pack", "-nolocalimports", "-c=1", "-trimpath=" + dir, "-importcfg=imports", "-o=main.a", "main.go", "beside.go", f.Path},
		{j.Tools.link, "-importcfg=all", "-buildmode=exe", "-s", "-w", "-o=program", "main.a"},
	} {
		said, used, err := j.runTool(ctx, dir, step)
		b.used += used
		var ended *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return b, nil
		case err == nil:
			continue
		case !errors.As(err, &ended):
			return b, fmt.Errorf("building a program: %w", err)
		}
		switch b.wrong = f.CompilerVerdict(said, t.Seed); {
		case b.wrong != nil:
		case strings.Contains(said, "no space left on device"), ended.Exited() && i > 0 && !outOfRoom.MatchString(said):
			return b, fmt.Errorf("building a program: %s", strings.TrimSpace(said))
		case ended.Exited() && !strings.HasPrefix(said, "main.go:") && !outOfRoom.MatchString(said):
			first, _, _ := strings.Cut(said, "\n")
			b.wrong = f.Refused("The program doesn't compile: "+first, 0, 0, t.Seed)
		case strings.HasPrefix(said, "main.go:"):
			b.wrong = f.Refused(fmt.Sprintf("The program declares no function `%s` as the exercise asks for it.", exercise.Work.Function), 0, 0, t.Seed)
		default:
			b.wrong = t.broken(verdict.TooMuchToCompile, fmt.Sprintf("Go's compiler needed more than %v of CPU time, %s of memory or a file of %d MiB for the program, and was stopped.", buildTime, usage.InWords(buildMemory), fileLimit>>20))
			b.wrong.Stage = verdict.StageCompile
		}
		return b, nil
	}
	b.program = filepath.Join(dir, "program")
	return b, nil
}

// outOfRoom matches what a tool says when it reaches a limit of memory or files.
var outOfRoom = regexp.MustCompile(`out of memory|cannot allocate memory|file too large|too large|stack overflow|exceeds|SIGXCPU|SIGXFSZ`)

// runTool runs a program of Go's toolchain in jail, and returns what it printed.
func (j *Jail) runTool(ctx context.Context, dir string, step []string) (said string, used time.Duration, err error) {
	tool := exec.CommandContext(ctx, j.program, append([]string{Command, toolArgument}, step...)...)
	tool.Dir = dir
	tool.Env = slices.Concat(j.env, []string{"HOME=" + dir, "TMPDIR=" + dir, "GOMAXPROCS=" + strconv.Itoa(2)})
	var out bytes.Buffer
	tool.Stdout, tool.Stderr, tool.WaitDelay = &limitedBuffer{&out}, &limitedBuffer{&out}, time.Second
	childprocess.EndWithParent(tool)
	err = tool.Run()
	if tool.ProcessState != nil {
		used = tool.ProcessState.UserTime() + tool.ProcessState.SystemTime()
	}
	return out.String(), used, err
}

// mostSaid is how much of a tool's output is kept, in bytes.
const mostSaid = 64 << 10

// A limitedBuffer keeps the beginning of what is written.
type limitedBuffer struct{ kept *bytes.Buffer }

func (b *limitedBuffer) Write(text []byte) (int, error) {
	b.kept.Write(text[:min(len(text), mostSaid-b.kept.Len())])
	return len(text), nil
}
