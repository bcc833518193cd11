//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A school holds what every trial of grading needs.
type school struct {
	*cluster
	guide guided
	class string // the folder of the submissions
	alone []byte // the table that one machine computed
}

// trials lists the trials, each in its own classroom. Each returns its observations.
var trials = []gradingTrial{
	{"Grading: inside a pod", (*school).fromInside},
	{"Grading: the deadline", (*school).late},
	{"Grading: a class of 60 in six parts, twice", (*school).twice},
	{"Grading: a part that always fails", (*school).failing},
	{"Grading: a full disk", (*school).full},
	{"Grading: shaders that use up all memory", (*school).hungry},
	{"Grading: a container killed, then a pod", (*school).killed},
	{"Grading: the node's restart", (*school).restarted},
	{"Grading: what it costs", (*school).costs},
}

// sixParts returns a teacher's changes to job.yaml for six parts.
func sixParts() map[string]string {
	return map[string]string{"completions: 8": "completions: 6", `value: "8"`: `value: "6"`}
}

// instead makes job.yaml's pod run another command, once.
func instead(command string) map[string]string {
	return map[string]string{
		"completions: 8": "completions: 1",
		"args: [grade-shard, $(JOB_COMPLETION_INDEX), $(SHARDS), $(SEED), /submissions, /grades]": "args: [" + command + "]",
	}
}

const (
	gradingJob = "wgslab-grading"
	mergeJob   = "wgslab-merge"
)

// newSchool writes the class and grades it on one machine, this one.
func newSchool(ctx context.Context, c *cluster) (*school, error) {
	guide, err := readGuide("Batch grading")
	if err != nil {
		return nil, err
	}
	s := &school{cluster: c, guide: guide, class: c.at("class")}
	if err := handInClass(s.class); err != nil {
		return nil, err
	}
	return s, s.gradeAlone(ctx, classSize)
}

// gradeAlone grades a class of the given size on one machine.
func (s *school) gradeAlone(ctx context.Context, students int) error {
	table := s.class + ".csv"
	_, err := s.command(ctx, "wgslab", "grade", s.class, "--seed", classSeed, "--format", "csv", "-o", table)
	// Exit code 1 says that some submissions could not be read, which is expected in this
	// class.
	if s.alone, _ = os.ReadFile(table); s.alone == nil {
		return fmt.Errorf("grading on one machine: %w", err)
	}
	if lines := bytes.Count(s.alone, []byte("\n")); lines != 1+students {
		return fmt.Errorf("one machine's table has %d lines for a class of %d", lines, students)
	}
	return nil
}

// same returns an error if a classroom's table differs from the table of one machine.
func (s *school) same(r *classroom) error {
	table, err := os.ReadFile(filepath.Join(r.grades, "grades.csv"))
	if err != nil {
		return fmt.Errorf("reading the table: %w", err)
	}
	if bytes.Equal(table, s.alone) {
		return nil
	}
	mine, theirs := strings.Split(string(s.alone), "\r\n"), strings.Split(string(table), "\r\n")
	for i, line := range mine {
		if i >= len(theirs) || theirs[i] != line {
			return fmt.Errorf("the cluster's table has %d lines, one machine's %d; the first that differs is\n  %s\nand on one machine\n  %s",
				len(theirs), len(mine), slices.Concat(theirs, make([]string, len(mine)))[i], line)
		}
	}
	return errors.New("the cluster's table has more lines than one machine's")
}

// grade follows the whole guide, and checks the table.
func (s *school) grade(ctx context.Context, r *classroom) error {
	if _, err := r.shell(ctx, s.guide.begin); err != nil {
		return err
	}
	return s.goOn(ctx, r)
}

// goOn follows the guide after its first command.
func (s *school) goOn(ctx context.Context, r *classroom) error {
	if said, err := r.shell(ctx, s.guide.rest); err != nil {
		return err
	} else if err := s.same(r); err != nil {
		return fmt.Errorf("%w; the guide's commands said\n%s", err, said)
	}
	return nil
}

// again deletes both Jobs, as the guide says after a part has failed, and grades anew.
func (s *school) again(ctx context.Context, r *classroom) error {
	if _, err := r.ask(ctx, "delete", "job", gradingJob, mergeJob); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(r.grades, "grades.csv")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the table: %w", err)
	}
	return s.grade(ctx, r)
}

// twice grades the class, and then all of it again in the same folder with a second Job. Each part
// then finds the file that the first Job made of it.
func (s *school) twice(ctx context.Context) (string, error) {
	r, err := s.newClassroom(ctx, "twice", s.class, sixParts())
	if err != nil {
		return "", err
	}
	began, stop := time.Now(), s.watchUsage()
	err = s.grade(ctx, r)
	first := time.Since(began)
	used := stop()
	if err = errors.Join(err, used.killedForMemory()); err != nil {
		return "", err
	}
	if err := s.again(ctx, r); err != nil {
		return "", fmt.Errorf("the second time: %w", err)
	}
	return fmt.Sprintf("both times the table of one machine; the first took %.0f s%s", first.Seconds(), used.each(classSize)), nil
}

// fromInside checks the grading pod's permissions from inside the pod.
func (s *school) fromInside(ctx context.Context) (string, error) {
	folder := s.at("probe")
	if err := fill("probe.sh", filepath.Join(folder, "probe.sh"), nil); err != nil {
		return "", err
	}
	const server, port = nodeAddress, "6443"
	r, err := s.newClassroom(ctx, "inside", folder, instead("bash, /submissions/probe.sh, "+server+`, "`+port+`"`))
	if err != nil {
		return "", err
	}
	if _, err := r.shell(ctx, s.guide.begin+"\nkubectl wait --for=condition=Complete --timeout=5m job/"+gradingJob); err != nil {
		return "", err
	}
	said, err := r.ask(ctx, "logs", "job/"+gradingJob)
	if err != nil {
		return "", err
	}
	for _, want := range []string{
		"user 1000, group 100", "CapEff 0000000000000000", "CapBnd 0000000000000000", "NoNewPrivs 1", "Seccomp 2",
		"may not write to the root", "may not write to the submissions", "may write to the grades", "may write to /tmp",
		"may not read a token", "may not make a namespace",
	} {
		if !strings.Contains(said, want+"\n") {
			return "", fmt.Errorf("a pod does not say %q:\n%s", want, said)
		}
	}
	policy := "it reaches the cluster's server: this cluster's network enforces no policies, so the policy in network.yaml was accepted but not tested"
	if strings.Contains(said, "may not reach ") {
		policy = "it does not reach the cluster's server"
	}
	return "user 1000, no capabilities and no way to gain any, seccomp, root and submissions read-only, no token; " + policy, nil
}

// killed kills a container's processes, as a lack of memory does, and then deletes a pod.
func (s *school) killed(ctx context.Context) (string, error) {
	r, err := s.newClassroom(ctx, "killed", s.class, sixParts())
	if err != nil {
		return "", err
	}
	if _, err := r.shell(ctx, s.guide.begin); err != nil {
		return "", err
	}
	first, err := r.amidst(ctx, "")
	if err != nil {
		return "", err
	}
	if err := killContainer(first); err != nil {
		return "", err
	}
	second, err := r.amidst(ctx, first.Metadata.Name)
	if err != nil {
		return "", err
	}
	if _, err := r.ask(ctx, "delete", "pod", second.Metadata.Name, "--grace-period=0", "--force"); err != nil {
		return "", err
	}
	if err := s.goOn(ctx, r); err != nil {
		return "", err
	}
	return s.saw(ctx, r, func(status jobStatus) bool { return status.Failed == 2 })
}

// saw describes a Job's status if it is the expected one.
func (s *school) saw(ctx context.Context, r *classroom, right func(jobStatus) bool) (string, error) {
	status, err := r.status(ctx, gradingJob)
	if err != nil {
		return "", err
	}
	words := fmt.Sprintf("%d pods failed, parts %s were graded", status.Failed, status.CompletedIndexes)
	if status.FailedIndexes != "" {
		words += ", " + status.FailedIndexes + " was abandoned"
	}
	if !right(status) {
		return "", fmt.Errorf("unexpected status: %s: %+v", words, status)
	}
	return words, nil
}

// killContainer kills all processes of a pod except the one that holds its network.
func killContainer(p pod) error {
	of := "pod" + p.Metadata.UID
	names, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		return fmt.Errorf("looking for a pod's processes: %w", err)
	}
	killed := false
	for _, name := range names {
		groups, _ := os.ReadFile(name) // a process that has ended has none
		comm, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "comm"))
		if !bytes.Contains(groups, []byte(of)) || string(comm) == "pause\n" {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			return fmt.Errorf("reading a process id: %w", err)
		}
		killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
	}
	if !killed {
		return fmt.Errorf("the pod %s has no process to kill", p.Metadata.Name)
	}
	return nil
}

// restarted turns the node off and on during the grading of a part.
func (s *school) restarted(ctx context.Context) (string, error) {
	r, err := s.newClassroom(ctx, "restarted", s.class, sixParts())
	if err != nil {
		return "", err
	}
	if _, err := r.shell(ctx, s.guide.begin); err != nil {
		return "", err
	}
	if _, err := r.amidst(ctx, ""); err != nil {
		return "", err
	}
	if err := s.restartNode(ctx); err != nil {
		return "", err
	}
	if err := s.goOn(ctx, r); err != nil {
		return "", err
	}
	return s.saw(ctx, r, func(status jobStatus) bool { return status.Failed == 1 })
}

// failing makes one part fail each time, with a journal that the pod may not open.
func (s *school) failing(ctx context.Context) (string, error) {
	r, err := s.newClassroom(ctx, "failing", s.class, sixParts())
	if err != nil {
		return "", err
	}
	journal := filepath.Join(r.grades, "part-3.json.journal")
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		return "", fmt.Errorf("putting a journal in the way: %w", err)
	}
	said, err := r.shell(ctx, s.guide.begin+"\n"+s.guide.rest)
	if err != nil {
		return "", err
	}
	if !strings.Contains(said, "shard 3 of 6 is missing: ") {
		return "", fmt.Errorf("the merge does not name the missing part: %s", said)
	}
	// backoffLimitPerIndex is 2, so there are three tries.
	seen, err := s.saw(ctx, r, func(status jobStatus) bool {
		return status.Failed == 3 && status.FailedIndexes == "3" && status.CompletedIndexes == "0-2,4,5" && status.has("Failed", "FailedIndexes")
	})
	if err != nil {
		return "", err
	}
	if err := os.Remove(journal); err != nil {
		return "", fmt.Errorf("taking the journal out of the way: %w", err)
	}
	if err := s.again(ctx, r); err != nil {
		return "", fmt.Errorf("after removing the cause: %w", err)
	}
	return seen + " and named; with the cause gone, a second Job made the table of one machine", nil
}

// full fills the disk while a class is being graded, and then makes room.
func (s *school) full(ctx context.Context) (string, error) {
	edits := sixParts()
	edits["parallelism: 4"] = "parallelism: 1" // the first three parts are done when the disk fills
	r, err := s.newClassroom(ctx, "full", s.class, edits)
	if err != nil {
		return "", err
	}
	if err := syscall.Mount("tmpfs", r.grades, "tmpfs", 0, fmt.Sprintf("uid=%d,gid=%d,size=64m", gradingUser, gradingGroup)); err != nil {
		return "", fmt.Errorf("mounting a small disk: %w", err)
	}
	if _, err := r.shell(ctx, s.guide.begin); err != nil {
		return "", err
	}
	if err := s.until(ctx, 5*time.Minute, "three parts are graded", func() error {
		_, err := os.Stat(filepath.Join(r.grades, "part-2.json"))
		return err
	}); err != nil {
		return "", err
	}
	ballast := filepath.Join(r.grades, "ballast")
	if err := fillDisk(ballast); err != nil {
		return "", err
	}
	said, err := r.shell(ctx, s.guide.rest)
	if err != nil {
		return "", err
	}
	seen, err := s.saw(ctx, r, func(status jobStatus) bool {
		return status.CompletedIndexes == "0-2" && status.FailedIndexes == "3-5" && status.has("Failed", "FailedIndexes")
	})
	if err != nil {
		return "", err
	}
	if !strings.Contains(said, " of 6 is missing: ") {
		return "", fmt.Errorf("%s, and the merge does not name a missing part: %s", seen, said)
	}
	told, err := r.ask(ctx, "logs", "--selector=batch.kubernetes.io/job-name="+gradingJob, "--tail=-1")
	if err != nil {
		return "", err
	}
	if !strings.Contains(told, "no space left on device") {
		return "", fmt.Errorf("no pod says that the disk is full: %s", told)
	}
	if err := os.Remove(ballast); err != nil {
		return "", fmt.Errorf("making room: %w", err)
	}
	if err := s.again(ctx, r); err != nil {
		return "", fmt.Errorf("with room: %w", err)
	}
	return seen + ` and named, and a pod's log says "no space left on device"; with room, a second Job made the table of one machine`, nil
}

// fillDisk writes a file until its disk is full.
func fillDisk(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("filling a disk: %w", err)
	}
	defer file.Close()
	for zeros := make([]byte, 4096); ; {
		if _, err := file.Write(zeros); errors.Is(err, syscall.ENOSPC) {
			return nil
		} else if err != nil {
			return fmt.Errorf("filling a disk: %w", err)
		}
	}
}

// hungry grades one part with right shaders and with shaders whose compilation uses unlimited
// memory, two at a time.
func (s *school) hungry(ctx context.Context) (string, error) {
	hungry := &school{cluster: s.cluster, guide: s.guide, class: s.at("hungry")}
	if err := handInHungry(hungry.class); err != nil {
		return "", err
	}
	if err := hungry.gradeAlone(ctx, hungryOnes+rightOnes); err != nil {
		return "", err
	}
	r, err := s.newClassroom(ctx, "hungry", hungry.class, map[string]string{"completions: 8": "completions: 1", `value: "8"`: `value: "1"`})
	if err != nil {
		return "", err
	}
	stop := s.watchUsage()
	err = hungry.grade(ctx, r)
	used := stop()
	if err = errors.Join(err, used.killedForMemory()); err != nil {
		return "", err
	}
	pods, err := r.pods(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range pods {
		if p.ended() != "Completed" {
			return "", fmt.Errorf("the container of %s ended as %q", p.Metadata.Name, p.ended())
		}
	}
	part, err := os.ReadFile(filepath.Join(r.grades, "part-0.json"))
	if err != nil {
		return "", fmt.Errorf("reading a part: %w", err)
	}
	if told := bytes.Count(part, []byte(`"diagnosis": "too-much-to-compile"`)); told < hungryOnes {
		return "", fmt.Errorf("%d of %d shaders have the verdict that they are too much to compile: %s", told, hungryOnes, part)
	}
	return fmt.Sprintf("%d of them have that verdict, %d right ones got their points, and no process ran out of memory%s",
		hungryOnes, rightOnes, used.each(hungryOnes+rightOnes)), nil
}

// late makes a Job exceed its deadline.
func (s *school) late(ctx context.Context) (string, error) {
	edits := instead(`sleep, "600"`)
	edits["activeDeadlineSeconds: 7200"] = "activeDeadlineSeconds: 10"
	r, err := s.newClassroom(ctx, "late", s.class, edits)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if _, err := r.shell(ctx, s.guide.begin+"\nkubectl wait --for=condition=Failed --timeout=2m job/"+gradingJob); err != nil {
		return "", err
	}
	took := time.Since(began)
	status, err := r.status(ctx, gradingJob)
	if err != nil {
		return "", err
	}
	if !status.has("Failed", "DeadlineExceeded") {
		return "", fmt.Errorf("the Job did not fail by its deadline: %+v", status)
	}
	if err := s.until(ctx, time.Minute, "the pod is gone", func() error {
		pods, err := r.pods(ctx)
		for _, p := range pods {
			if p.Status.Phase == "Running" {
				err = errors.Join(err, fmt.Errorf("%s still runs", p.Metadata.Name))
			}
		}
		return err
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("a Job with a deadline of 10 s ended after %.0f s", took.Seconds()), nil
}
