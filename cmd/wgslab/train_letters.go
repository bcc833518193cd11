package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/gpt"
)

const (
	lettersNetwork = "letters"
	lettersCard    = "MODEL_CARD_LETTERS.md"
)

// trainLetters trains the language model on the text of a file.
func trainLetters(ctx context.Context, file string, training gpt.Schedule, out string, stdout, stderr io.Writer) error {
	if file == "" {
		return &codedError{exitAsked, errors.New("the network that writes needs a text: name its file with --text FILE")}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return &codedError{exitAsked, fmt.Errorf("reading the text: %w", err)}
	}
	letters, err := gpt.Letters(gpt.Prepare(string(text)))
	if err == nil {
		err = training.Check(letters)
	}
	if err != nil {
		return &codedError{exitAsked, err}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return &codedError{exitAsked, fmt.Errorf("making the folder for the weights: %w", err)}
	}
	device, err := gpu.Open()
	if err != nil {
		return err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	fmt.Fprintf(stdout, "Training on %s.\n", device.Adapter())
	if device.Adapter().Kind != shader.GPU {
		fmt.Fprintln(stderr, "Without a GPU this takes days. A GPU needs minutes.")
	}
	card := lettersModelCard{training: training, file: filepath.Base(file), letters: len(letters), adapter: device.Adapter()}
	started, progress := time.Now(), newTrainingProgress(stderr, training.Epochs)
	card.outcome, err = gpt.Train(ctx, device, gpt.Shipped, letters, training, func(now gpt.Progress) {
		progress.show(now.Progress, now.HeldOutLoss > 0, fmt.Sprintf("%.4f", now.HeldOutLoss))
	})
	progress.end()
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	card.took = time.Since(started)
	if err := card.write(ctx, out); err != nil {
		return &codedError{exitNotRight, err}
	}
	fmt.Fprintf(stdout, "Trained in %s: loss %.4f per letter on the held-out text after epoch %d.\nWrote %s and %s.\n",
		card.took.Round(100*time.Millisecond), card.outcome.HeldOutLoss, card.outcome.Epoch, filepath.Join(out, gpt.WeightsFile), filepath.Join(out, lettersCard))
	return nil
}

// A lettersModelCard describes the origin of the language model's weights, and its loss.
type lettersModelCard struct {
	training gpt.Schedule
	outcome  *gpt.TrainedModel
	file     string // of the text
	letters  int    // of the text
	adapter  shader.Adapter
	took     time.Duration
}

// write writes the weights and the card into a folder: either both completely, or neither.
func (c lettersModelCard) write(ctx context.Context, dir string) error {
	encoded, err := c.outcome.Weights.Encode(map[string]string{
		"seed":          strconv.FormatUint(uint64(c.training.Seed), 10),
		"held_out_loss": strconv.FormatFloat(c.outcome.HeldOutLoss, 'f', 4, 64),
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return atomicfile.WriteAll(map[string][]byte{
		filepath.Join(dir, gpt.WeightsFile): encoded,
		filepath.Join(dir, lettersCard):     []byte(c.text()),
	}, 0o644)
}

func (c lettersModelCard) text() string {
	t, s := c.training, c.outcome.Weights.Dimensions
	return fmt.Sprintf(`# %s

A language model that writes letter by letter: a transformer of %d layers, each with %d heads of
%d numbers, for an alphabet of %d letters. It has %s numbers. It was trained by wgslab's own WGSL shaders (shaders/train).

| | |
|---|---|
| loss on the held-out text | **%.3f** (natural logarithm) or %.2f bits per letter, after epoch %d |
| loss on the text to train on | %.3f, in that epoch's last step |
| data | the text in %s, %s letters after preparation: the last %s held out to choose the epoch |
| optimiser | Adam (β₁ %g, β₂ %g, ε %g), %d samples of %d letters in a step, learning rate from %g to 0 on a cosine schedule |
| epochs | %d |
| seed | %d |
| adapter | %s |
| time | %s |
| command | %s |

## The file
safetensors, float16: table [%d, %d]; for each of layer1 to layer%d: norm1.gain, norm1.bias [%d], q, k, v and out: w [%d, %d], b [%d],
norm2.gain, norm2.bias [%d], up.w [%d, %d], up.b [%d], down.w [%d, %d], down.b [%d]; norm.gain, norm.bias [%d]. x = the letter's row of table;
in each layer x += attention(norm1(x))·out, then x += gelu(norm2(x)·up)·down; scores = norm(x)·tableᵀ. A letter looks at itself and those before it:
attention divides a score by the root of %d, and takes off 2^(-8 (head + 1) / %d) for each letter that the other is farther back.
norm has the epsilon 1e-5, and gelu is the formula with tanh. The metadata holds the alphabet.

## Intended use
Lessons. It knows how letters follow each other in its text. What it writes is invented, and says nothing about anything.
`,
		gpt.WeightsFile, s.Layers, s.Heads, s.Depth(), s.Letters, english.Thousands(c.outcome.Weights.Parameters().Count()),
		c.outcome.HeldOutLoss, c.outcome.HeldOutLoss/0.6931471805599453, c.outcome.Epoch, c.outcome.Loss,
		c.file, english.Thousands(c.letters), english.Thousands(t.HeldOut*t.Length), descent.Beta1, descent.Beta2, descent.Epsilon, t.Batch, t.Length, t.Rate,
		t.Epochs, t.Seed, c.adapter, c.took.Round(time.Second), "`"+c.command()+"`",
		s.Letters, s.Width, s.Layers, s.Width, s.Width, s.Width, s.Width, s.Width, s.Width, s.Hidden, s.Hidden, s.Hidden, s.Width, s.Width, s.Width, s.Depth(), s.Heads)
}

func (c lettersModelCard) command() string {
	t := c.training
	return fmt.Sprintf("wgslab train --network %s --text FILE --epochs %d --batch %d --rate %g --seed %d", lettersNetwork, t.Epochs, t.Batch, t.Rate, t.Seed)
}
