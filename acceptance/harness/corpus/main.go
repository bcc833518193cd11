// Command corpus reads a folder of WGSL that other projects wrote, and prints where this front end
// and other compilers disagree, which files make it crash or take long, which the formatter
// doesn't leave alone at its second run, and which get another verdict from other white space.
//
// A process of its own reads each file, so that no file's fault hides another's. Nothing is copied
// from the folder. Faults of this front end make exit code 1; disagreements don't, because the
// other compiler may be wrong, or older than the specification.
//
//	go run ./acceptance/harness/corpus ../shaders
package main

import (
	"context"
	"fmt"
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
	limit, jobs := 5*time.Second, runtime.NumCPU()
	cmd := &cobra.Command{
		Use:           "corpus FOLDER",
		Short:         "Compare the front end with other compilers on a folder of WGSL",
		Example:       "  go run ./acceptance/harness/corpus ../shaders",
		Args:          folderNamed,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit <= 0 || jobs < 1 {
				return fmt.Errorf("--limit is %s and --jobs %d; both must be above 0", limit, jobs)
			}
			return survey(cmd, args[0], limit, jobs)
		},
	}
	cmd.Flags().DurationVar(&limit, "limit", limit, "a file that takes longer is slow")
	cmd.Flags().IntVarP(&jobs, "jobs", "j", jobs, "number of files read at once")
	cmd.AddCommand(newReadCommand())
	return cmd
}

// survey reads the folder's shaders and prints the report, even if it is interrupted.
func survey(cmd *cobra.Command, folder string, limit time.Duration, jobs int) error {
	paths, unread, err := shaders(folder)
	if err != nil {
		return err
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program's file: %w", err)
	}
	c := corpus{folder: folder, executable: executable, limit: limit, judges: judges()}
	results := c.read(cmd.Context(), paths, jobs, newProgress(cmd.ErrOrStderr(), len(paths)))
	report := newReport(folder, c.judges, results, unread)
	if err := report.write(cmd.OutOrStdout()); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d of %d files", len(results), len(paths))
	}
	if n := report.faults(); n > 0 {
		return fmt.Errorf("%d faults of this front end", n)
	}
	return nil
}
