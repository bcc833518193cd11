package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/wgslab/wgslab/internal/observe/debug"
)

// Lines carries out commands from a reader, one per line, until the input ends, a line is quit, or
// the context ends.
func Lines(ctx context.Context, s *debug.Session, in io.Reader, out io.Writer) error {
	sh := &shell{s: s}
	fmt.Fprintf(out, "%s\n%s\n", s.Target.Title, sh.here())
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if command, ok := sh.movement(line); ok {
			stop := s.Do(ctx, command)
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, message := range s.Log() {
				fmt.Fprintln(out, message)
			}
			fmt.Fprintln(out, stop.Text)
			if stop.Reason != debug.Finished {
				fmt.Fprintln(out, sh.here())
			}
			continue
		}
		text, moved, err := sh.do(ctx, line)
		switch {
		case errors.Is(err, errQuit):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			text = err.Error()
		}
		if text != "" {
			fmt.Fprintln(out, text)
		}
		if moved {
			fmt.Fprintln(out, sh.here())
		}
	}
	return lines.Err()
}
