package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// Options say how large a class is and how long it lasts.
type Options struct {
	Root     string // the clone
	Learners int
	Length   time.Duration
	Seed     uint64
	Hurry    float64                  // pauses are this many times shorter than people's
	Deck     func(learner int) []card // what each learner does; nil means a lesson, until it ends
	Progress func(line string)
}

// A class is a run of the soak.
type class struct {
	Options
	folder      string
	environment []string // what each learner's processes get
	mistakes    []mistake
	census      *census
	over        chan struct{} // closed when the lesson ends
	end         func()        // ends it
	starting    chan struct{} // held by those whose server starts: as many as there are cores
	leaving     chan struct{} // held by the learner whose server ends
	halted      <-chan struct{}
	begun       time.Time

	mu      sync.Mutex
	present int
	report  ClassReport
}

// Run lets a class work, and returns what it has seen. When ctx ends, the class leaves early.
func Run(ctx context.Context, o Options) (r *ClassReport, err error) {
	folder, err := os.MkdirTemp("", "wgslab-class-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the class: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	c := &class{
		Options: o, folder: folder, over: make(chan struct{}), halted: ctx.Done(), begun: time.Now(),
		starting: make(chan struct{}, runtime.NumCPU()), leaving: make(chan struct{}, 1),
		census: &census{numbers: map[string]int{}},
		report: ClassReport{Time: time.Now().UTC().Format(time.RFC3339), Learners: o.Learners, Seed: o.Seed, Cores: runtime.NumCPU(), Load: load(), Did: map[string]int{}},
	}
	if c.environment, err = goFolders(o.Root); err != nil {
		return nil, err
	}
	if c.mistakes, err = readMistakes(); err != nil {
		return nil, fmt.Errorf("reading wrong shaders: %w", err)
	}
	c.end = sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.report.Minutes = c.since() / 60
		close(c.over)
	})
	c.work(ctx)
	c.report.finish()
	return &c.report, nil
}

// goFolders returns variables that keep Go's caches where they are: learners' homes are new, and a
// hub's image brings its caches along.
func goFolders(root string) (variables []string, err error) {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH"}
	command := exec.Command("go", append([]string{"env"}, names...)...)
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("asking go for its folders: %w", err)
	}
	for i, value := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		variables = append(variables, names[i]+"="+value)
	}
	return variables, nil
}

func load() string {
	raw, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(raw))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// work runs the lesson from the first arrival until everybody has left.
func (c *class) work(ctx context.Context) {
	learners := make([]*learner, c.Learners)
	for i := range learners {
		learners[i] = newLearner(c, i)
		c.census.numbers[learners[i].folder] = i
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	var watchers sync.WaitGroup
	watchers.Go(func() { c.watch(watching, learners) })
	watchers.Go(func() { c.tell(watching) })
	bell := time.AfterFunc(c.Length, c.end)
	defer bell.Stop()
	defer context.AfterFunc(ctx, c.end)()
	var all sync.WaitGroup
	for _, l := range learners {
		all.Go(func() {
			l.wait(ctx, c.arrival(l.random))
			if ctx.Err() != nil {
				return
			}
			c.enter(1)
			defer c.enter(-1)
			l.attend(ctx)
		})
	}
	all.Wait()
	c.end() // if everybody was done before
	stop()
	watchers.Wait()
}

// arrival draws when a learner comes: in an unhurried class, within the first seventh of the
// lesson.
func (c *class) arrival(random *rand.Rand) time.Duration {
	return time.Duration(random.Float64() * float64(c.Length) / 7 / c.Hurry)
}

func (c *class) enter(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.present += n
}

func (c *class) isOver() bool { return isClosed(c.over) }

// stopped reports whether the class was stopped before its end.
func (c *class) stopped() bool { return isClosed(c.halted) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// deck returns what a learner does: a lesson has more than its time allows.
func (c *class) deck(number int) []card {
	if c.Deck != nil {
		return c.Deck(number)
	}
	random := rand.New(rand.NewPCG(c.Seed, ^uint64(number)))
	return slices.Concat(lesson(random), lesson(random), lesson(random))
}

// since returns the seconds since the lesson began.
func (c *class) since() float64 { return time.Since(c.begun).Seconds() }

func (c *class) fault(learner int, doing, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Violations = append(c.report.Violations, Violation{At: c.since(), Learner: learner, Doing: doing, What: what})
}

func (c *class) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Did[what]++
}

func (c *class) took(learner int, what string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Points = append(c.report.Points, WaitPoint{At: c.since(), Learner: learner, What: what, Milliseconds: took.Seconds() * 1000})
}

const (
	lookEvery = time.Second
	// A look at all memory walks every page table. It may take this part of one core.
	memoryShare = 0.03
	// fullLearner is the memory that a hub gives a learner: docker/jupyterhub/values.yaml. The
	// system then kills the largest process.
	fullLearner = 3 << 30
	// The class ends early before the machine has less memory than this, and starts to end
	// processes of its own choice.
	leastMemory = 1 << 30
)

// watch looks at all processes until the class is gone: for those that use the processor though
// their learner rests, for learners with too much memory, and for the memory of all.
func (c *class) watch(ctx context.Context, learners []*learner) {
	guard := &idleGuard{watched: map[identity]*watch{}}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var next time.Time
	before := busyTime()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			c.report.CoresBusy = (busyTime() - before).Seconds() / c.since()
			return
		}
		c.lookAtCPU(guard, learners)
		c.lookAtMachine()
		if begun := time.Now(); begun.After(next) {
			c.lookAtMemory()
			next = time.Now().Add(max(5*time.Second, time.Duration(float64(time.Since(begun))/memoryShare)))
		}
	}
}

// lookAtMachine ends the lesson early if the machine has too little memory for the class.
func (c *class) lookAtMachine() {
	if left, ok := availableMemory(); ok && left < leastMemory && !c.isOver() {
		c.fault(nobody, "", fmt.Sprintf("the lesson ended early: only %d MB of memory were left on the machine", left>>20))
		c.end()
	}
}

// availableMemory returns how much memory programs can still get.
func availableMemory() (left int64, ok bool) {
	data, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(data)) {
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &left); err == nil {
			return left << 10, true
		}
	}
	return 0, false
}

// lookAtCPU looks at the processes of learners who rest, before and after the look.
func (c *class) lookAtCPU(guard *idleGuard, learners []*learner) {
	rests := make([]time.Time, len(learners))
	for i, l := range learners {
		rests[i], _, _ = l.restingSince()
	}
	of := c.census.take()
	now := time.Now()
	for i, l := range learners {
		rest, doing, ok := l.restingSince()
		if ok && rest == rests[i] {
			guard.look(now, rest, of[i], func(p lab.Process, used, in time.Duration) {
				c.fault(i, doing, fmt.Sprintf("%s (%d) ran for %.1f s within %.1f s though the learner rested", program(p), p.PID, used.Seconds(), in.Seconds()))
			})
		}
		c.endGreedy(i, of[i])
	}
}

// endGreedy ends the largest process of a learner who uses more memory than a hub allows.
func (c *class) endGreedy(number int, all []lab.Process) {
	resident, proportional := int64(0), int64(0)
	for _, p := range all {
		resident += p.Resident
	}
	if resident < fullLearner {
		return
	}
	for _, p := range all {
		proportional += p.Proportional()
	}
	if proportional < fullLearner {
		return
	}
	p := slices.MaxFunc(all, func(a, b lab.Process) int { return cmp.Compare(a.Resident, b.Resident) })
	name := program(p)
	_ = p.Signal(syscall.SIGKILL) // fails if it has ended
	if !isWorker(p) {
		c.fault(number, "", fmt.Sprintf("%s was ended, because the learner used %d MB", name, proportional>>20))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Ended = append(c.report.Ended, Ended{At: c.since(), Learner: number, Program: name, Megabytes: megabytes(p.Resident)})
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

func (c *class) lookAtMemory() {
	m := MemoryUse{At: c.since(), Programs: map[string]float64{}}
	for _, all := range c.census.take() {
		m.Learners++
		for _, p := range all {
			size := megabytes(p.Proportional())
			m.Processes++
			m.Total += size
			m.Programs[program(p)] += size
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Memory = append(c.report.Memory, m)
}

// busyTime returns how long all cores together have worked since the machine started.
func busyTime() time.Duration {
	data, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(data), "\n")
	var user, nice, system int64
	_, _ = fmt.Sscanf(first, "cpu %d %d %d", &user, &nice, &system) // without /proc all are 0
	return time.Duration(user+nice+system) * 10 * time.Millisecond
}

// tell shows the progress every ten seconds.
func (c *class) tell(ctx context.Context) {
	look := time.NewTicker(10 * time.Second)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			c.Progress(c.line())
		case <-ctx.Done():
			return
		}
	}
}

func (c *class) line() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := fmt.Sprintf("%s of %s  %d learners", clock(time.Since(c.begun)), clock(c.Length), c.present)
	if w := waitOf(verdictTook, c.report.Points); w.Count > 0 {
		line += fmt.Sprintf("  %d verdicts: p50 %.0f ms, p95 %.0f ms", w.Count, w.P50, w.P95)
	}
	if n := len(c.report.Memory); n > 0 {
		line += fmt.Sprintf("  %.1f GB", c.report.Memory[n-1].Total/1024)
	}
	return line + fmt.Sprintf("  %d violations", len(c.report.Violations))
}

func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// writeTo is where the results of a class go.
func writeTo(folder string, r *ClassReport, table io.Writer) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("making a folder for the results: %w", err)
	}
	files, err := r.files()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return fmt.Errorf("writing the results: %w", err)
		}
	}
	return r.print(table)
}
