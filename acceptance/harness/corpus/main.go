// Command corpus reads a folder of WGSL that other projects wrote, and prints where this front end
// and other compilers disagree, which files make it crash or take long, which the formatter
// doesn't leave alone at its second run, and which get another verdict from other white space.
//
// A process of its own reads each file, so that no file's fault hides another's. Nothing is copied
// from the folder. Faults of this front end make exit code 1; disagreements don't, because the
// other compiler may be wrong, or older than the specification.
//
//	go run ./acceptance/harness/corpus ../shaders
//
// With --run it also runs each compute entry point in the simulator, on buffers made by a rule, and
// counts what stops the others. With --engine it compares what is left in the buffers with a
// driver's.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// folderNamed says how to name the folder if none is, or several are.
func folderNamed(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("one folder is read, and %d are named: run make corpus FOLDER=shaders", len(args))
	}
	return nil
}

func newCommand() *cobra.Command {
	asked := survey{limit: 5 * time.Second, jobs: runtime.NumCPU()}
	cmd := &cobra.Command{
		Use:           "corpus FOLDER",
		Short:         "Compare the front end with other compilers on a folder of WGSL",
		Example:       "  go run ./acceptance/harness/corpus ../shaders",
		Args:          folderNamed,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asked.limit <= 0 || asked.jobs < 1 {
				return fmt.Errorf("--limit is %s and --jobs %d; both must be above 0", asked.limit, asked.jobs)
			}
			return asked.do(cmd, args[0])
		},
	}
	cmd.Flags().DurationVar(&asked.limit, "limit", asked.limit, "a file that takes longer to read is slow")
	cmd.Flags().IntVarP(&asked.jobs, "jobs", "j", asked.jobs, "number of files read at once")
	cmd.Flags().BoolVar(&asked.run, "run", false, "also run each compute entry point in the simulator")
	cmd.Flags().StringVar(&asked.engine, "engine", "", "with --run: compare with this engine's values: gpu or cpu")
	cmd.Flags().StringVar(&asked.list, "list", "", "with --run: write a line of JSON for each shader to this file")
	cmd.AddCommand(newReadCommand(), newRunCommand(), newExtractCommand())
	return cmd
}

// A survey is what the command line asks for.
type survey struct {
	limit  time.Duration
	jobs   int
	run    bool
	engine string
	list   string
}

// do reads the folder's shaders and prints the report, even if it is interrupted.
func (asked survey) do(cmd *cobra.Command, folder string) error {
	paths, unread, err := shaders(folder)
	if err != nil {
		return err
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program's file: %w", err)
	}
	c := corpus{folder: folder, executable: executable, limit: asked.limit, judges: judges(), run: asked.run, engine: asked.engine}
	results := c.read(cmd.Context(), paths, asked.jobs, newProgress(cmd.ErrOrStderr(), len(paths)))
	report := newReport(folder, c.judges, results, unread)
	if err := report.write(cmd.OutOrStdout()); err != nil {
		return err
	}
	if asked.run {
		if err := asked.reportRuns(cmd.OutOrStdout(), folder, results); err != nil {
			return err
		}
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d of %d files", len(results), len(paths))
	}
	if n := report.faults(); n > 0 {
		return fmt.Errorf("%d faults of this front end", n)
	}
	return nil
}

// reportRuns prints what became of the entry points, and writes the list that was asked for.
func (asked survey) reportRuns(out io.Writer, folder string, results []*result) error {
	if asked.list != "" {
		if err := writeList(asked.list, folder, results); err != nil {
			return fmt.Errorf("writing the list: %w", err)
		}
	}
	return newRunReport(folder, results).write(out)
}
