package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/fronts/class/grade"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/scripted"
	"github.com/wgslab/wgslab/internal/fronts/class/similarity"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"golang.org/x/term"
)

// gradeRun holds the flags of wgslab grade.
type gradeRun struct {
	options  grade.Options
	shard    string
	engine   string
	format   string
	out      string
	feedback string
	similar  bool
	sections bool
	merge    bool
	rehearse bool
	fresh    bool // the user named no seed
}

func newGradeCommand() *cobra.Command {
	var r gradeRun
	command := &cobra.Command{
		Use:   "grade PATH…",
		Short: "Grade a class's submissions",
		Long: `Grade reads submissions and gives points. A PATH is a notebook, a folder, a zip
or a pattern. A folder may have the layout of nbgrader, Moodle, Canvas or Blackboard:
one folder per student, or the student at the start of each file name.

Grade runs the shaders of a submission, from the cells that start with %%writefile
work/ID.wgsl, and the programs for the host, from its Go cells or in JavaScript from
the page's zip. It checks each in its own process, without network, with a deadline and
a memory limit. A new seed determines the cases; grade prints it, and --seed repeats it.
Go is built with the packages of the clone that this program is in. Where it can't be
run in jail, its exercises need execution and don't count; grade says so first.

With --cost-points N, a right shader that reaches all goals by counts of its exercise,
such as "coalesced", earns N more points, like a course of release --cost-points N.

With --rehearse and without a PATH, grade runs the right program of each exercise for
the host, and lists those that this machine can't run. Do that before a class starts.

With --sections, each folder or zip in a PATH is a section with students of its own,
and students are named with their section.

With -o FILE, grade keeps the verdicts in FILE.journal. If it is interrupted, the same
command continues.

On several machines, --shard I/N grades part I (0 to N-1) of the class, and --merge
combines the parts' JSON files.

Exit codes: 0 all graded, whatever their points; 1 some submissions or exercises are
unreadable (they are named) or parts are missing; 2 wrong usage; 3 the requested engine isn't available; 130 Ctrl-C.`,
		Example: `  wgslab grade submitted/
  wgslab grade class.zip -o grades.csv --format csv --feedback feedback/
  wgslab grade 'hand-ins/*.ipynb' --seed 7 --similar
  wgslab grade submitted/ --cost-points 1
  wgslab grade --sections autumn/
  wgslab grade --rehearse
  wgslab grade submitted/ --seed 7 --shard 0/4 --format json -o part-0.json
  wgslab grade --merge part-*.json --format csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.rehearse {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r.fresh = !cmd.Flags().Changed("seed")
			err := r.do(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
			if cmd.Context().Err() != nil {
				return &codedError{exitInterrupted, errors.New(r.interrupted())}
			}
			return err
		},
	}
	flags := command.Flags()
	flags.IntVarP(&r.options.Parallel, "jobs", "j", runtime.GOMAXPROCS(0), "number of shaders to check at a time")
	flags.Uint64Var(&r.options.Seed, "seed", 0, "seed of the cases (default: a new one each time)")
	flags.DurationVar(&r.options.Deadline, "deadline", gpu.DefaultDeadline, "time limit for each shader on the device")
	flags.StringVar(&r.engine, "engine", "auto", "engine that runs the shaders: "+shader.KindNames)
	flags.StringVar(&r.format, "format", "table", "table, json, csv or junit")
	flags.StringVarP(&r.out, "output", "o", "", "write the result to this file, and keep verdicts on an interrupt")
	flags.StringVar(&r.feedback, "feedback", "", "write a page per student to this folder")
	flags.Float64Var(&r.options.CostPoints, "cost-points", 0, "points for a right shader that reaches all goals by counts of its exercise")
	flags.BoolVar(&r.similar, "similar", false, "list equal and similar shaders in different submissions")
	flags.BoolVar(&r.sections, "sections", false, "each folder or zip in a PATH is a section of the class")
	flags.StringVar(&r.shard, "shard", "", "grade only part I of N: I/N, with I from 0")
	flags.BoolVar(&r.rehearse, "rehearse", false, "run the right program of each exercise for the host, and list those that can't run here")
	flags.BoolVar(&r.merge, "merge", false, "combine the JSON files of several parts")
	command.MarkFlagsMutuallyExclusive("merge", "shard")
	command.MarkFlagsMutuallyExclusive("merge", "feedback")
	command.MarkFlagsMutuallyExclusive("merge", "similar")
	command.MarkFlagsMutuallyExclusive("merge", "sections")
	return command
}

// newJailCommand returns the command that grade starts per shader. Users never type it.
func newJailCommand() *cobra.Command {
	return &cobra.Command{
		Use:                jail.Command,
		Hidden:             true,
		DisableFlagParsing: true, // they are a tool's
		RunE:               func(*cobra.Command, []string) error { return &codedError{code: jail.Serve(scripted.Judge)} },
	}
}

// formats maps each format's name to the function that writes a table in it.
var formats = map[string]func(w io.Writer, t *gradebook.ClassTable) error{
	"table": func(w io.Writer, t *gradebook.ClassTable) error { return gradebook.Text(w, t, terminalWidth(w)) },
	"json":  gradebook.JSON,
	"csv":   gradebook.CSV,
	"junit": gradebook.JUnit,
}

// plainWidth is the width of a table if no terminal sets it.
const plainWidth = 120

func terminalWidth(w io.Writer) int {
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return width
		}
	}
	return plainWidth
}

func (r *gradeRun) do(ctx context.Context, paths []string, stdout, stderr io.Writer) error {
	if err := r.prepare(); err != nil {
		return err
	}
	if r.merge {
		return r.mergeParts(paths, stdout, stderr)
	}
	if r.rehearse {
		return r.rehearsal(ctx, stdout, stderr)
	}
	broken := course.Broken()
	if broken != nil {
		fmt.Fprintf(stderr, "wgslab: these exercises have a mistake and aren't graded:\n%v\n", broken)
	}
	switch {
	case !jail.Confines:
		fmt.Fprintln(stderr, "wgslab: this system can't confine shaders: grade only your own and those of people you trust. Linux and the Docker image confine them.")
	case !jail.HidesFiles():
		fmt.Fprintln(stderr, "wgslab: this kernel has no Landlock, so a shader that takes over its driver could read and change your files. Grade on Linux 5.13 or newer, or in a container that holds only the submissions.")
	}
	submissions, err := r.collect(ctx, paths, stderr)
	if err != nil {
		return err
	}
	table, err := r.grade(ctx, submissions, stderr)
	if errors.Is(err, grade.ErrOtherConditions) {
		return fmt.Errorf("%w; name another output, or remove that journal", err)
	}
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	if err := r.write(table, stdout); err != nil {
		return &codedError{exitNotRight, err}
	}
	if r.feedback != "" {
		if err := gradebook.Write(r.feedback, table); err != nil {
			return &codedError{exitNotRight, err}
		}
	}
	if r.similar {
		if err := r.listSimilar(submissions, stderr); err != nil {
			return &codedError{exitNotRight, err}
		}
	}
	if r.out != "" {
		if err := os.Remove(r.journal()); err != nil {
			return &codedError{exitNotRight, fmt.Errorf("removing the journal: %w", err)}
		}
	}
	fmt.Fprintf(stderr, "wgslab: seed %d, %s\n", table.Seed, table.Adapter)
	if err := r.problems(table, stderr); err != nil || broken == nil {
		return err
	}
	return &codedError{exitNotRight, errors.New("the exercises named above weren't graded")}
}

// collect reads the submissions, and reports the sections without any.
func (r *gradeRun) collect(ctx context.Context, paths []string, stderr io.Writer) ([]submission.Submission, error) {
	if !r.sections {
		return submission.Collect(ctx, paths)
	}
	submissions, empty, err := submission.CollectSections(ctx, paths)
	for _, section := range empty {
		fmt.Fprintf(stderr, "wgslab: the section %s has no submissions\n", section)
	}
	return submissions, err
}

func (r *gradeRun) listSimilar(submissions []submission.Submission, stderr io.Writer) error {
	alike, err := similarity.Find(submissions)
	if err != nil {
		return err
	}
	return similarity.Write(stderr, alike)
}

// prepare checks the options before any work begins.
func (r *gradeRun) prepare() error {
	if formats[r.format] == nil {
		return fmt.Errorf("there is no format %q: choose table, json, csv or junit", r.format)
	}
	kind, err := shader.ParseKind(r.engine)
	if err != nil {
		return err
	}
	r.options.Engine = kind
	if r.options.Parallel < 1 {
		return fmt.Errorf("-j %d: at least one shader has to be checked at a time", r.options.Parallel)
	}
	if r.options.CostPoints < 0 {
		return errors.New("--cost-points can't be negative")
	}
	if r.options.Deadline <= 0 {
		return fmt.Errorf("--deadline %v: it must be more than 0", r.options.Deadline)
	}
	if r.shard != "" {
		shard := &r.options.Shard
		_, err := fmt.Sscanf(r.shard+"\n", "%d/%d\n", &shard.Index, &shard.Of)
		if err != nil || shard.Of < 1 || shard.Index < 0 || shard.Index >= shard.Of {
			return fmt.Errorf("--shard %s: write it as I/N, with I from 0 to N-1, such as 0/4", r.shard)
		}
		if r.fresh {
			return errors.New("--shard needs --seed: all parts of a class must be graded by the same cases")
		}
	}
	if r.out != "" {
		if info, err := os.Stat(filepath.Dir(r.out)); err != nil || !info.IsDir() {
			return fmt.Errorf("there is no folder %s for the output: make it first", filepath.Dir(r.out))
		}
		r.options.Journal = r.journal()
	}
	return nil
}

func (r *gradeRun) journal() string { return r.out + ".journal" }

func (r *gradeRun) interrupted() string {
	if r.out == "" {
		return "stopped before the end; nothing was written (with -o FILE it could go on where it was)"
	}
	return "stopped before the end; the same command goes on from " + r.journal()
}

func (r *gradeRun) grade(ctx context.Context, submissions []submission.Submission, stderr io.Writer) (*gradebook.ClassTable, error) {
	if r.fresh {
		r.options.Seed = judge.FreshSeed()
		if begun, ok := grade.Begun(r.options.Journal); ok { // continue as it was begun
			r.options.Seed = begun.Seed
		}
	}
	bar := newBar(stderr, int64(r.options.HandIns(submissions)), "grading", progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("checks"), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	if bar != nil {
		r.options.Checked = func() { _ = bar.Add(1) } // a drawing error is no reason to stop
		r.options.Graded = func(s gradebook.Student) {
			_ = bar.Clear()
			fmt.Fprintf(stderr, "%s: %g of %g\n", s.Student, s.Points, s.MaxPoints)
		}
		defer bar.Clear()
	}
	if program, err := os.Executable(); err == nil { // not the current folder: it may be a hand-in
		if root, err := repository.Root(filepath.Dir(program)); err == nil {
			r.options.Clone, r.options.Go = root, goCommand(goEnvironment(root))
		}
	}
	r.options.Excused = func(exercises []string, why error) {
		fmt.Fprintf(stderr, "wgslab: programs in Go aren't run here: %v. Those for %s need execution, and don't count.\n", why, strings.Join(exercises, ", "))
	}
	return grade.Run(ctx, submissions, r.options)
}

// rehearsal grades the right programs for the host, and says for which exercises a class's can't
// run.
func (r *gradeRun) rehearsal(ctx context.Context, stdout, stderr io.Writer) error {
	right, err := submission.RightPrograms()
	if err != nil {
		return err
	}
	r.options.Engine = shader.Simulated
	table, err := r.grade(ctx, []submission.Submission{right}, stderr)
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	runs, fails := 0, 0
	for _, e := range table.Submissions[0].Exercises {
		switch {
		case right.Programs[e.ID].Source == "":
		case e.Verdict == gradebook.Pass:
			runs++
		case e.Detail != nil:
			fails++
			fmt.Fprintf(stdout, "%s doesn't run here: %s\n", e.ID, e.Detail.Message)
		default: // grade has said why
			fails++
		}
	}
	if fails > 0 {
		return &codedError{exitNotRight, fmt.Errorf("%d of the %d exercises for the host don't run here", fails, runs+fails)}
	}
	fmt.Fprintf(stdout, "The right programs of all %d exercises for the host run here, confined.\n", runs)
	return nil
}

// write writes the complete table to stdout or to the output. If it fails, the output is unchanged.
func (r *gradeRun) write(table *gradebook.ClassTable, stdout io.Writer) error {
	write := formats[r.format]
	if r.out == "" {
		return write(stdout, table)
	}
	var text bytes.Buffer
	if err := write(&text, table); err != nil {
		return err
	}
	if err := atomicfile.Write(r.out, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// problems names the submissions that could not be read, wholly or in part, unless the table on the
// screen has just named them. It omits those that were graded elsewhere, because they were reported
// there.
func (r *gradeRun) problems(table *gradebook.ClassTable, stderr io.Writer) error {
	shown := r.format == "table" && r.out == ""
	unread := 0
	for _, s := range table.Submissions {
		for _, p := range s.Problems {
			if !shown {
				fmt.Fprintf(stderr, "wgslab: %s: %s\n", s.Student, p)
			}
		}
		if s.Unread {
			unread++
		}
	}
	if unread > 0 {
		return &codedError{exitNotRight, fmt.Errorf("%d of %d submissions could not be read in full", unread, len(table.Submissions))}
	}
	return nil
}

func (r *gradeRun) mergeParts(paths []string, stdout, stderr io.Writer) error {
	var tables []*gradebook.ClassTable
	for _, path := range paths {
		table, err := readTable(path)
		if err != nil {
			return err
		}
		tables = append(tables, table)
	}
	merged, gaps, err := gradebook.Merge(tables)
	if err != nil {
		return fmt.Errorf("merging %s: %w", strings.Join(paths, ", "), err)
	}
	for _, gap := range gaps { // first: a disk too full for a part may also be too full for the table
		fmt.Fprintln(stderr, "wgslab:", gap)
	}
	if err := r.write(merged, stdout); err != nil {
		return &codedError{exitNotRight, err}
	}
	if len(gaps) > 0 {
		return &codedError{exitNotRight, errors.New("the table is incomplete: grade the missing parts and merge again")}
	}
	return r.problems(merged, stderr)
}

func readTable(path string) (*gradebook.ClassTable, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a part: %w", err)
	}
	table, err := gradebook.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s isn't a result of wgslab grade --format json: %w", path, err)
	}
	return table, nil
}
