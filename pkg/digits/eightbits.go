package digits

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// EightBits reads MNIST's test images with the plain network twice: with weights of 32 bits, and
// with weights of eight bits by your kernels. It shows how many each reads right beside the size of
// its weights, and the images that they read differently. A shader that isn't right is replaced by
// the reference.
func EightBits() {
	device, set := show.Must(gpu.Default()), show.Must(mnist.Test())
	if device.Adapter().Kind == gpu.Simulated {
		set = set.First(500) // all of them would take the simulator twenty times as long
	}
	sources, whose := ownOf(mlp.Exercises)
	weights := show.Must(mlp.Trained())
	plain := show.Must(mlp.New(device, weights))
	defer plain.Free()
	small := show.Must(mlp.NewQuantized(device, weights, sources))
	floats, bytes := show.Must(plain.Forward(set.Images)), show.Must(small.Forward(set.Images))

	table := show.Table{Caption: fmt.Sprintf("%s of MNIST's test images", english.Thousands(set.Len())), Headers: []string{"the weights are", "bytes", "read right"}}
	numbers := len(weights.W1) + len(weights.B1) + len(weights.W2) + len(weights.B2)
	table.Add("floats of 32 bits", english.Thousands(4*numbers), share(floats, set.Labels))
	table.Add("signed bytes", english.Thousands(small.First.Bytes()+small.Second.Bytes()), share(bytes, set.Labels))
	shown := []show.View{table, packed(small.First, weights.W1)}
	if changed := differing(set, floats, bytes); len(changed.Labels) > 0 {
		shown = append(shown, changed)
	}
	show.Display(append(shown, check.Whose(whose...))...)
}

// packed shows four words of the first neuron as bytes, beside the weights that they came from.
// weights has a column for each neuron.
func packed(l mlp.Layer, weights []float32) show.Table {
	const first = 100 // the first of the words shown; its weights belong to pixels in the middle
	table := show.Table{
		Caption: fmt.Sprintf("four words of neuron 0; the scale of its row is %.5f", l.Scales[0]),
		Headers: []string{"word", "in hexadecimal", "its four bytes, the lowest first", "the bytes times the scale", "the weights"},
	}
	neurons := len(l.Bias)
	for word := first; word < first+4; word++ {
		var bytes, scaled, was []string
		for i := range 4 {
			b := int8(l.Words[word] >> (8 * i))
			bytes = append(bytes, fmt.Sprint(b))
			scaled = append(scaled, fmt.Sprintf("%.4f", float32(b)*l.Scales[0]))
			was = append(was, fmt.Sprintf("%.4f", weights[(4*word+i)*neurons]))
		}
		table.Add(word, fmt.Sprintf("%08x", l.Words[word]), strings.Join(bytes, ", "), strings.Join(scaled, ", "), strings.Join(was, ", "))
	}
	return table
}

func share(probabilities []float32, labels []byte) string {
	return fmt.Sprintf("%.2f %%", 100*network.Accuracy(probabilities, labels))
}

// differing returns the images that bytes read in another way than floats, with the answers of the
// bytes.
func differing(set mnist.Set, floats, bytes []float32) show.Digits {
	const most = 20
	d := show.Digits{Source: set.Source}
	found := 0
	for i := range set.Len() {
		row := func(all []float32) []float32 { return all[i*network.Outputs : (i+1)*network.Outputs] }
		read := network.MostProbable(row(bytes))
		if read == network.MostProbable(row(floats)) {
			continue
		}
		if found++; found <= most {
			d.Images, d.Labels = append(d.Images, set.Image(i)...), append(d.Labels, set.Labels[i])
			d.Read, d.Confidence = append(d.Read, uint32(read)), append(d.Confidence, row(bytes)[read])
		}
	}
	d.Title = fmt.Sprintf("Images that the bytes read differently: %d. What the bytes read:", found)
	return d
}
