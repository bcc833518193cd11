package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// A learner has a JupyterLab server, a home and a folder for temporary files of their own, as on a
// hub.
type learner struct {
	class    *class
	number   int
	random   *rand.Rand
	folder   string
	server   *lab.Server
	notebook *notebook // the one in front

	mu      sync.Mutex
	open    int       // requests without a reply
	resting time.Time // since when there are none; zero before the notebook is open
	doing   string
}

// firstNotebook is the one in which learners work most of the time.
const firstNotebook = "02-add.ipynb"

// learnerVariable is the variable in the environment of a learner's processes. Its value is the
// learner's folder.
const learnerVariable = "WGSLAB_SOAK_LEARNER"

func newLearner(c *class, number int) *learner {
	return &learner{
		class: c, number: number, random: rand.New(rand.NewPCG(c.Seed, uint64(number))),
		folder: filepath.Join(c.folder, fmt.Sprint(number)),
	}
}

func (l *learner) fault(format string, arguments ...any) {
	l.mu.Lock()
	doing := l.doing
	l.mu.Unlock()
	l.class.fault(l.number, doing, fmt.Sprintf(format, arguments...))
}

// begin and end count the requests without a reply: with none, the learner rests.
func (l *learner) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
}

func (l *learner) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open--; l.open == 0 && !l.resting.IsZero() {
		l.resting = time.Now()
	}
}

// restingSince returns since when nothing of the learner's should run; ok is false if something
// may.
func (l *learner) restingSince() (since time.Time, doing string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.resting, l.doing, l.open == 0 && !l.resting.IsZero()
}

// does says what the learner does from now on.
func (l *learner) does(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doing = what
}

// settle tells whether the learner can rest: not while a server starts or ends.
func (l *learner) settle(can bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resting = (time.Time{}); can {
		l.resting = time.Now()
	}
}

// pause waits as long as a person does: half of the pauses are shorter than usual, one in twenty is
// longer than four times that. It ends early when the lesson ends.
func (l *learner) pause(ctx context.Context, usual time.Duration) {
	l.wait(ctx, time.Duration(float64(usual)/l.class.Hurry*math.Exp(0.85*l.random.NormFloat64())))
}

// wait waits for a time, at most until the lesson ends.
func (l *learner) wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-l.class.over:
	case <-ctx.Done():
	}
}

// attend is a learner's whole lesson.
func (l *learner) attend(ctx context.Context) {
	defer l.leave(context.WithoutCancel(ctx))
	l.does("arrive")
	if err := l.arrive(ctx); err != nil {
		l.report(ctx, err)
		return
	}
	for _, card := range l.class.deck(l.number) {
		if l.class.isOver() || ctx.Err() != nil {
			return
		}
		l.does(card.what)
		l.class.count(card.what)
		if err := card.do(l, ctx); err != nil {
			l.report(ctx, err)
			if !l.recover(ctx) {
				return
			}
		}
		l.pause(ctx, 6*time.Second)
	}
}

// report reports an error, unless it only says that the class was stopped.
func (l *learner) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		l.fault("%v", err)
	}
}

// recover restarts the kernel after a fault, so that the learner can go on.
func (l *learner) recover(ctx context.Context) bool {
	if l.notebook == nil {
		return false // there is no kernel
	}
	if err := l.notebook.restart(ctx); err != nil {
		l.report(ctx, fmt.Errorf("restarting after a fault: %w", err))
		return false
	}
	return true
}

// arrive starts the learner's server and opens the first notebook.
func (l *learner) arrive(ctx context.Context) error {
	clone, err := l.prepare()
	if err != nil {
		return err
	}
	begun := time.Now()
	l.class.starting <- struct{}{}
	l.server, err = lab.StartServer(ctx, clone)
	<-l.class.starting
	if err != nil {
		return err
	}
	l.class.took(l.number, serverTook, time.Since(begun))
	begun = time.Now()
	if l.notebook, err = l.openNotebook(ctx, firstNotebook); err != nil {
		return err
	}
	l.class.took(l.number, openingTook, time.Since(begun))
	l.settle(true)
	return l.goCell(ctx, firstCellTook)
}

// prepare makes the learner's folders, unless they exist.
func (l *learner) prepare() (*lab.Clone, error) {
	root := filepath.Join(l.folder, "clone")
	variables := []string{learnerVariable + "=" + l.folder}
	for name, folder := range map[string]string{"HOME": "home", "TMPDIR": "tmp"} {
		path := filepath.Join(l.folder, folder)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return nil, err
		}
		variables = append(variables, name+"="+path)
	}
	variables = append(variables, l.class.environment...)
	if _, err := os.Stat(root); err == nil {
		return &lab.Clone{Root: root, Repository: l.class.Root, Environment: variables}, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	clone, err := lab.NewClone(l.class.Root, root)
	if err != nil {
		return nil, err
	}
	clone.Environment = variables
	return clone, nil
}

// leave ends everything of the learner's, and looks for what is left. Every second learner closes
// the notebook first; the others just go, and the server ends as by a hub's culler.
func (l *learner) leave(ctx context.Context) {
	l.does("leave")
	l.settle(false)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if l.notebook != nil {
		if left := l.notebook.ledger.unanswered(); len(left) > 0 && !l.class.stopped() {
			l.fault("no reply ever came to %v in %s", left, l.notebook.path)
		}
		l.notebook.ledger.forgive()
		if l.number%2 == 0 {
			l.report(ctx, l.notebook.close(ctx))
		} else {
			l.notebook.disconnect()
		}
		l.notebook = nil
	}
	if l.server == nil {
		return
	}
	l.class.leaving <- struct{}{} // one at a time: a hub ends servers one by one
	if err := l.server.Stop(); err != nil {
		l.fault("%v", err)
	}
	<-l.class.leaving
	l.server = nil
	l.lookBack(goneSoon)
}

// goneSoon is how long a learner's processes may take to end after the server.
const goneSoon = 15 * time.Second

// lookBack reports the processes, files and sockets that a learner has left behind, and ends the
// processes.
func (l *learner) lookBack(timeout time.Duration) {
	deadline := time.Now().Add(timeout)
	for _, p := range l.class.census.of(l.number) {
		if p.Outlives(time.Until(deadline)) {
			l.fault("process %d (%s) was left behind", p.PID, strings.Join(p.Arguments(), " "))
			_ = p.Signal(syscall.SIGKILL) // fails if it has ended
			p.Outlives(time.Second)
		}
	}
	for _, file := range leftFiles(filepath.Join(l.folder, "tmp")) {
		l.fault("the file %s was left behind", file)
	}
	for _, file := range leftFiles(filepath.Join(l.folder, "clone", ".build", "jupyter", "runtime")) {
		if filepath.Base(file) != "jupyter_cookie_secret" {
			l.fault("the file %s was left behind", file)
		}
	}
	for _, socket := range leftSockets(l.folder) {
		l.fault("the socket %s was left behind", socket)
	}
}

// leftFiles lists what is in a folder, at most ten entries.
func leftFiles(folder string) (left []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it is just being removed
		}
		if path == filepath.Join(folder, fmt.Sprintf("wgslab-%d", os.Getuid())) && isEmpty(path) {
			return nil // a user's kernels share it, so none removes it
		}
		if path != folder && (err != nil || !d.IsDir() || isEmpty(path)) {
			left = append(left, path)
		}
		if len(left) == 10 {
			return fs.SkipAll
		}
		return nil
	})
	return left
}

func isEmpty(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && len(entries) == 0
}

// leftSockets lists the open sockets with a name in a folder.
func leftSockets(folder string) (left []string) {
	data, _ := os.ReadFile("/proc/net/unix")
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if name := fields[len(fields)-1]; strings.Contains(name, folder+"/") {
			left = append(left, name)
		}
	}
	return left
}

// crashWorker ends the process that runs the learner's shader, as a driver does that crashes.
func (l *learner) crashWorker() error {
	var busiest lab.Process
	before := map[int]time.Duration{}
	for _, p := range l.class.census.of(l.number) {
		before[p.PID] = p.CPU
	}
	time.Sleep(300 * time.Millisecond)
	most := time.Duration(0)
	for _, p := range l.class.census.of(l.number) {
		if used := p.CPU - before[p.PID]; isWorker(p) && used >= most {
			busiest, most = p, used
		}
	}
	if busiest.PID == 0 {
		return errors.New("no process runs the shader that is to crash")
	}
	return busiest.Signal(syscall.SIGSEGV)
}
