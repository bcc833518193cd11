package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/writer"
)

func newWriteCommand() *cobra.Command {
	s := writer.Composition{Letters: 200, Temperature: 0.7}
	var fused, anew bool
	bits := writer.Halves.Bits
	command := &cobra.Command{
		Use:   "write BEGINNING",
		Short: "Let the language model of lesson 16 go on with your words",
		Long: `Write prints what you begin, and goes on letter by letter, in the language of Jane
Austen's novels. It runs those of your shaders in work/, here or in lessons/, that
pass their checks, and the reference for the others. With --fused it runs the course's
own shader, which does all of a letter in one pass. That is faster on a GPU. A CPU adapter
takes 20 seconds to compile it. With --bits 8 or 4, the weights are in groups of 32 that
share a scale, as in GGUF's Q8_0 and Q4_0; four bits run your gemv-int4.

The same seed writes the same text. A temperature below 1 prefers likely letters. The
model knows English letters, digits and the most common marks, and remembers 1,024
letters. The text goes to stdout; stderr says whose shaders wrote it, and how fast.

Exit codes: 1 failed, 2 wrong usage, 3 no usable adapter, 130 Ctrl-C.`,
		Example: `  wgslab write "Once upon a time"
  wgslab write "Emma was" --letters 500 --temperature 0.5 --seed 7
  wgslab write "It is" --anew     # without a cache: each letter takes longer than the one before
  wgslab write "It is" --fused    # with the course's own shader
  wgslab write "It is" --bits 4   # with your gemv-int4`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Beginning = args[0]
			if !cmd.Flags().Changed("seed") {
				s.Seed = rand.Uint32()
			}
			if err := checkWriting(s, fused && anew); err != nil {
				return &codedError{exitAsked, err}
			}
			format, err := formatOf(bits, fused || anew)
			if err != nil {
				return &codedError{exitAsked, err}
			}
			device, err := gpu.Open()
			if err != nil {
				return err
			}
			device = device.WithContext(cmd.Context())
			defer device.Close()
			err = letWrite(cmd.Context(), device, s, writerOptions{fused, anew, format}, cmd.OutOrStdout(), cmd.ErrOrStderr())
			if cmd.Context().Err() != nil {
				return &codedError{code: exitInterrupted}
			}
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.IntVar(&s.Letters, "letters", s.Letters, "number of letters to add")
	flags.Float64Var(&s.Temperature, "temperature", s.Temperature, "how much risk to take: 0.1 hardly any, 1 as in the novels, 2 wild")
	flags.Uint32Var(&s.Seed, "seed", 0, "seed of the random numbers (default: another each time)")
	flags.BoolVar(&fused, "fused", false, "run the course's own shader instead of yours")
	flags.BoolVar(&anew, "anew", false, "run the network over the whole text for each letter, without a cache")
	flags.IntVar(&bits, "bits", bits, "bits of a weight: 16, 8 or 4")
	return command
}

// writerOptions says which writer to open.
type writerOptions struct {
	fused, anew bool
	format      writer.WeightFormat
}

// formatOf returns the format with so many bits. whole is whether the writer has one of its own.
func formatOf(bits int, whole bool) (writer.WeightFormat, error) {
	f, err := writer.WeightFormatOf(bits)
	switch {
	case err != nil:
		return f, fmt.Errorf("--bits is %d: use 16, 8 or 4", bits)
	case whole && f != writer.Halves:
		return f, fmt.Errorf("--bits %d is for the writer with your shaders and a cache: leave out --anew or --fused", bits)
	}
	return f, nil
}

func checkWriting(s writer.Composition, both bool) error {
	switch letters, err := gpt.Letters(s.Beginning); {
	case both:
		return errors.New("--fused has a cache: leave out --anew or --fused")
	case err != nil:
		return err
	case len(letters) == 0:
		return errors.New(`the beginning is empty: give at least one letter, such as "O"`)
	case s.Letters < 1:
		return fmt.Errorf("--letters is %d: it must be at least 1", s.Letters)
	case len(letters)+s.Letters > gpt.Most:
		return fmt.Errorf("the text would have %d letters, and the model remembers %d: lower --letters", len(letters)+s.Letters, gpt.Most)
	case !(s.Temperature > 0) || math.IsInf(s.Temperature, 0):
		return fmt.Errorf("--temperature is %v: it must be above 0", s.Temperature)
	}
	return nil
}

// letWrite writes on a device, and says whose shaders do it.
func letWrite(ctx context.Context, device *gpu.Device, s writer.Composition, o writerOptions, stdout, stderr io.Writer) error {
	by, whose, err := openWriter(ctx, device, o)
	if err != nil {
		return err
	}
	defer by.Free()
	fmt.Fprint(stdout, s.Beginning)
	started, n := time.Now(), 0
	_, err = writer.Compose(ctx, by, s, func(letter uint32) {
		n++
		fmt.Fprint(stdout, gpt.Text([]uint32{letter}))
	})
	fmt.Fprintln(stdout)
	if n > 0 {
		took := time.Since(started)
		fmt.Fprintf(stderr, "%s in %s, %.0f per second, on %s, with seed %d. Shaders: %s.\n",
			english.Count(n, "letter", "letters"), took.Round(time.Millisecond), float64(n)/took.Seconds(), device.Adapter().Name, s.Seed, whose)
	}
	return err
}

// openWriter opens the model, and names the shaders' authors.
func openWriter(ctx context.Context, device *gpu.Device, o writerOptions) (by writer.LetterWriter, whose string, err error) {
	w, err := gpt.Trained()
	if err != nil {
		return nil, "", err
	}
	if o.fused {
		by, err = writer.NewFused(device, w)
		return by, "the course's own", err
	}
	exercises := writer.ExercisesOfCached(o.format)
	if o.anew {
		exercises = writer.ExercisesOfAnew
	}
	sources, shaders, err := ownshaders.Sources(ctx, device, workFolder(), exercises...)
	if err != nil {
		return nil, "", err
	}
	if o.anew {
		by, err = writer.NewAnew(device, w, sources)
	} else {
		by, err = writer.NewCached(device, w, o.format, sources)
	}
	return by, authors(shaders), err
}

// authors says which shaders are the learner's.
func authors(shaders []ownshaders.LessonShader) string {
	var yours []string
	for _, s := range shaders {
		if s.Learners {
			yours = append(yours, s.ID)
		}
	}
	switch len(yours) {
	case 0:
		return "the references, because none of yours is right yet"
	case len(shaders):
		return "all yours"
	}
	return "yours for " + strings.Join(yours, ", ") + "; the references for the others"
}
