//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/wgslab/wgslab/internal/course"
)

// The measured class submits the notebooks of course.Lessons and is graded. A larger class is
// read but not graded: each pod reads the whole class.
const (
	courseSize = 40
	readSize   = 400
)

// partsMeasured lists the numbers of parts to divide that class into. All parts are graded at the
// same time.
var partsMeasured = []int{1, 2, 3, 6}

// A cost is the cost of grading a class in a number of parts.
type cost struct {
	parts        int
	used         usage
	took         time.Duration
	firstVerdict time.Duration // since the first command
	parted, kept int64         // bytes of the parts, and of the largest journal
}

// costs measures the cost of a class, from one part to six, for the table in docs/deploy.md.
func (s *school) costs(ctx context.Context) (string, error) {
	measured := &school{cluster: s.cluster, guide: s.guide, class: s.at("course")}
	if err := handInCourse(measured.class, courseSize); err != nil {
		return "", err
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "parts\ttime\tfirst verdict\tCPU, total\tper student\tpeak memory per pod\tof all pods\tparts on disk\tlargest journal\t")
	var first, last float64 // seconds of CPU time
	for _, parts := range partsMeasured {
		c, err := measured.measure(ctx, parts)
		if err != nil {
			return "", fmt.Errorf("in %d parts: %w", parts, err)
		}
		if last = c.used.total(); first == 0 {
			first = last
		}
		var all float64
		for _, m := range c.used.memory {
			all += m
		}
		fmt.Fprintf(table, "%d\t%.0f s\t%.1f s\t%.0f s\t%.2f s\t%.0f MB\t%.0f MB\t%.0f kB\t%.0f kB\t\n", c.parts, c.took.Seconds(), c.firstVerdict.Seconds(),
			c.used.total(), c.used.total()/courseSize, c.used.most()/1e6, all/1e6, float64(c.parted)/1e3, float64(c.kept)/1e3)
	}
	each := (last - first) / float64(partsMeasured[len(partsMeasured)-1]-partsMeasured[0])
	if err := table.Flush(); err != nil {
		return "", fmt.Errorf("writing the table: %w", err)
	}
	none, err := s.reading(ctx, 1)
	if err != nil {
		return "", err
	}
	many, err := s.reading(ctx, readSize)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("a class of %d in all %d lessons:\n%s  one more pod: %.1f s of CPU time. Of that, a part without students takes %.2f s, plus %.1f ms per student in the class, to read the hand-ins",
		courseSize, course.Core, text.String(), each, none.Seconds(), float64((many-none).Microseconds())/1e3/readSize), nil
}

// measure grades the class in a number of parts, all at the same time.
func (s *school) measure(ctx context.Context, parts int) (c cost, err error) {
	c.parts = parts
	r, err := s.newClassroom(ctx, fmt.Sprintf("costs-%d", parts), s.class, map[string]string{
		"completions: 8": fmt.Sprintf("completions: %d", parts), `value: "8"`: fmt.Sprintf(`value: "%d"`, parts),
		"parallelism: 4": fmt.Sprintf("parallelism: %d", parts),
		// This lets six pods fit on two cores.
		"cpu: \"2\"\n              memory: 1Gi": "cpu: 250m\n              memory: 512Mi",
	})
	if err != nil {
		return c, err
	}
	began, stop := time.Now(), s.watchUsage()
	err = s.timed(ctx, r, began, &c)
	used := stop()
	if err = errors.Join(err, used.killedForMemory()); err != nil {
		return c, err
	}
	pods, err := r.pods(ctx)
	if err != nil {
		return c, err
	}
	c.used = used.of(pods)
	if len(c.used.seconds) != parts || len(c.used.memory) != parts {
		return c, fmt.Errorf("the cgroups report %d pods, and the memory of %d: only cgroup v1 is supported", len(c.used.seconds), len(c.used.memory))
	}
	if s.alone == nil { // the first: the others must give the same table
		if _, err := r.shell(ctx, s.guide.rest); err != nil {
			return c, err
		}
		if s.alone, err = os.ReadFile(filepath.Join(r.grades, "grades.csv")); err != nil {
			return c, fmt.Errorf("reading the table: %w", err)
		}
		if lines := bytes.Count(s.alone, []byte("\n")); lines != 1+courseSize {
			return c, fmt.Errorf("the table has %d lines for a class of %d", lines, courseSize)
		}
		return c, nil
	}
	return c, s.goOn(ctx, r)
}

// timed starts as the guide says, and watches the clock and the folder of grades until all parts
// have arrived.
func (s *school) timed(ctx context.Context, r *classroom, began time.Time, c *cost) error {
	if _, err := r.shell(ctx, s.guide.begin); err != nil {
		return err
	}
	for ctx.Err() == nil {
		kept, verdict := r.journals()
		c.kept = max(c.kept, kept)
		if verdict && c.firstVerdict == 0 {
			c.firstVerdict = time.Since(began)
		}
		names, err := filepath.Glob(filepath.Join(r.grades, "part-*.json"))
		if err != nil {
			return fmt.Errorf("looking for parts: %w", err)
		}
		if len(names) == c.parts {
			break
		}
		time.Sleep(lookAtPods)
	}
	if _, err := r.ask(ctx, "wait", "--for=condition=Complete", "--timeout=2m", "job/"+gradingJob); err != nil {
		return err
	}
	c.took = time.Since(began)
	for part := range c.parts {
		info, err := os.Stat(filepath.Join(r.grades, fmt.Sprintf("part-%d.json", part)))
		if err != nil {
			return fmt.Errorf("looking at a part: %w", err)
		}
		c.parted += info.Size()
	}
	return nil
}

// journals returns the size of the largest journal of a part, and whether a journal holds a
// verdict, which is its second entry.
func (r *classroom) journals() (fullest int64, verdict bool) {
	names, err := filepath.Glob(filepath.Join(r.grades, "part-*.json.journal"))
	if err != nil {
		return 0, false
	}
	for _, name := range names {
		text, _ := os.ReadFile(name) // a file that has disappeared counts as empty
		fullest = max(fullest, int64(len(text)))
		verdict = verdict || bytes.Count(text, []byte("\n\n")) >= 1
	}
	return fullest, verdict
}

// reading measures the CPU time of a part without students in a class of the given size.
func (s *school) reading(ctx context.Context, students int) (time.Duration, error) {
	class := s.at(fmt.Sprintf("course-of-%d", students))
	if err := handInCourse(class, students); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "wgslab", "grade", class, "--seed", classSeed, "--shard", "0/1000000", "--format", "json")
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("reading a class: %w", err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
