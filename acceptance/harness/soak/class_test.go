package main

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// start starts a shell script as a process of a learner, and returns its id and what kills it. It
// ends with the test. One goroutine waits for it from the beginning, so that it never stays as a
// zombie: two calls of Wait race.
func start(t *testing.T, l *learner, script string) (pid int, kill func()) {
	t.Helper()
	command := exec.Command("sh", "-c", script)
	command.Env = append(os.Environ(), learnerVariable+"="+l.folder)
	require.NoError(t, command.Start())
	ended := make(chan struct{})
	go func() {
		_ = command.Wait() // it is killed
		close(ended)
	}()
	kill = func() {
		_ = command.Process.Kill() // fails if it has ended
		<-ended
	}
	t.Cleanup(kill)
	return command.Process.Pid, kill
}

func lonely(t *testing.T) *learner {
	t.Helper()
	c := &class{folder: t.TempDir(), begun: time.Now(), census: &census{numbers: map[string]int{}}}
	l := newLearner(c, 0)
	c.census.numbers[l.folder] = 0
	require.NoError(t, os.MkdirAll(filepath.Join(l.folder, "tmp"), 0o755))
	return l
}

// said returns what the class has found fault with.
func said(c *class) (all []string) {
	for _, v := range c.report.Violations {
		all = append(all, v.What)
	}
	return all
}

func TestWhatIsLeftBehindIsFound(t *testing.T) {
	l := lonely(t)
	l.lookBack(0)
	require.Empty(t, said(l.class))

	start(t, l, "sleep 1000 & wait") // two processes
	require.Eventually(t, func() bool { return len(l.class.census.of(0)) == 2 }, 10*time.Second, 10*time.Millisecond)
	file := filepath.Join(l.folder, "tmp", "gonb_1", "main.go")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	socket, err := net.Listen("unix", filepath.Join(l.folder, "s"))
	require.NoError(t, err)
	defer socket.Close()
	l.lookBack(0)
	all := strings.Join(said(l.class), "\n")
	require.Len(t, said(l.class), 4, all)
	require.Contains(t, all, "(sh -c sleep 1000 & wait) was left behind")
	require.Contains(t, all, "(sleep 1000) was left behind")
	require.Contains(t, all, "the file "+file+" was left behind")
	require.Contains(t, all, "the socket "+filepath.Join(l.folder, "s")+" was left behind")
	require.Empty(t, l.class.census.of(0), "it has ended them")
}

// A process without the learner's variable belongs to the learner if its parent does, also after
// the parent's end.
func TestCensusFollowsProcesses(t *testing.T) {
	l := lonely(t)
	_, killParent := start(t, l, "env -i sleep 1000 & sleep 1000")
	var child lab.Process
	require.Eventually(t, func() bool {
		for _, p := range l.class.census.of(0) {
			if _, marked := p.Variable(learnerVariable); p.Name == "sleep" && !marked {
				child = p
			}
		}
		return child.PID != 0
	}, 10*time.Second, 10*time.Millisecond)
	killParent()
	require.Len(t, l.class.census.of(0), 2, "both sleep")
	l.lookBack(0)
	require.False(t, child.Lives())
}

func TestIdleGuardFindsWhatRuns(t *testing.T) {
	guard := &idleGuard{watched: map[identity]*watch{}}
	var found []lab.Process
	begun := time.Now()
	look := func(after time.Duration, rest time.Time, running time.Duration) {
		p := lab.Process{PID: 1, Started: "1", CPU: running}
		guard.look(begun.Add(after), rest, []lab.Process{p}, func(p lab.Process, _, _ time.Duration) { found = append(found, p) })
	}
	look(time.Second, begun, 10*time.Second)
	look(6*time.Second, begun, 14*time.Second)
	look(16*time.Second, begun, 15*time.Second) // a second in ten: allowed
	require.Empty(t, found)
	look(20*time.Second, begun.Add(18*time.Second), 17*time.Second) // another rest
	look(24*time.Second, begun.Add(18*time.Second), 20*time.Second)
	require.Empty(t, found)
	look(28*time.Second, begun.Add(18*time.Second), 22*time.Second)
	look(30*time.Second, begun.Add(18*time.Second), 25*time.Second)
	require.Len(t, found, 1, "once for each rest")
}

// What really runs is seen, and what sleeps is not.
func TestIdleGuardOnProcesses(t *testing.T) {
	l := lonely(t)
	busy, _ := start(t, l, "while :; do :; done")
	start(t, l, "sleep 1000")
	guard := &idleGuard{watched: map[identity]*watch{}}
	rest := time.Now().Add(-settled)
	var found []int
	require.Eventually(t, func() bool {
		guard.look(time.Now(), rest, l.class.census.of(0), func(p lab.Process, _, _ time.Duration) { found = append(found, p.PID) })
		return len(found) > 0
	}, time.Minute, 100*time.Millisecond)
	require.Equal(t, []int{busy}, found)
}

func TestASeedDecidesTheLesson(t *testing.T) {
	names := func(seed uint64) (all []string) {
		for _, c := range lesson(rand.New(rand.NewPCG(seed, 0))) {
			all = append(all, c.what)
		}
		return all
	}
	require.Equal(t, names(1), names(1))
	require.NotEqual(t, names(1), names(2))
	require.ElementsMatch(t, names(1), names(2))
}

func TestMemoryThatGrows(t *testing.T) {
	for growth, violations := range map[float64]int{0: 0, 1: 0, 20: 1} {
		r := &ClassReport{Minutes: 20}
		for at := 0.0; at < 1260; at += 5 {
			r.Memory = append(r.Memory, MemoryUse{At: at, Total: 5000 + growth*at/5})
		}
		r.finish()
		require.Len(t, r.Violations, violations, "growing by %g MB", growth)
	}
}

func TestWaits(t *testing.T) {
	r := &ClassReport{Minutes: 1}
	for i := range 100 {
		r.Points = append(r.Points, WaitPoint{What: verdictTook, Milliseconds: float64(100 - i)}, WaitPoint{What: cellTook, Milliseconds: 1000})
	}
	r.finish()
	require.Equal(t, Wait{Name: verdictTook, Count: 100, P50: 50, P95: 95, Worst: 100, GoalP50: 50, GoalP95: 400}, r.Waits[0])
	require.Equal(t, "50 and 400 ms: met", r.Waits[0].goal())
	r.Waits[0].P95 = 401
	require.Equal(t, "50 and 400 ms: NOT MET", r.Waits[0].goal())
}
