package network

import (
	"math"
	"slices"
)

// A ValueMatrix holds rows of values. A vector is one row.
type ValueMatrix struct {
	Columns int
	Values  []float64
}

// Rows returns the number of rows.
func (m ValueMatrix) Rows() int { return len(m.Values) / m.Columns }

// Row returns a row. Who changes it changes the matrix.
func (m ValueMatrix) Row(i int) []float64 { return m.Values[i*m.Columns : (i+1)*m.Columns] }

// EachRow replaces each row of out with what a layer makes of the row of m.
func (m ValueMatrix) EachRow(out ValueMatrix, layer func(row []float64) []float64) {
	for i := range m.Rows() {
		copy(out.Row(i), layer(m.Row(i)))
	}
}

// Kernels computes what the shaders of exercises do. Each kernel gets the buffers in the order of
// the shader's bindings, without the uniform. Before them come the numbers that don't follow from
// the shapes: alpha and n for saxpy, mean and stddev for normalize, the rate for sgd.
var Kernels = map[string]func(b []ValueMatrix){
	"hello": func(b []ValueMatrix) {
		for i := range b[0].Values {
			b[0].Values[i] = float64(i)
		}
	},
	"iota-2d": func(b []ValueMatrix) {
		for i := range b[0].Values {
			b[0].Values[i] = float64(1000*(i/b[0].Columns) + i%b[0].Columns)
		}
	},
	"vector-add": func(b []ValueMatrix) {
		for i := range b[2].Values {
			b[2].Values[i] = b[0].Values[i] + b[1].Values[i]
		}
	},
	"saxpy": func(b []ValueMatrix) {
		for i := range int(b[1].Values[0]) {
			b[3].Values[i] += b[0].Values[0] * b[2].Values[i]
		}
	},
	"row-max": func(b []ValueMatrix) {
		b[0].EachRow(b[1], func(row []float64) []float64 { return []float64{slices.Max(row)} })
	},
	"sum-fast": func(b []ValueMatrix) {
		b[0].EachRow(b[1], func(row []float64) []float64 { return []float64{sum(row)} })
	},
	"normalize": func(b []ValueMatrix) {
		mean, stddev, words, out := b[0].Values[0], b[1].Values[0], b[2].Values, b[3].Values
		for i := range out {
			out[i] = (float64(uint32(words[i/4])>>(8*(i%4))&0xff)/255 - mean) / stddev
		}
	},
	"argmax": func(b []ValueMatrix) {
		b[0].EachRow(b[1], func(row []float64) []float64 { return []float64{float64(slices.Index(row, slices.Max(row)))} })
	},
	"linear": func(b []ValueMatrix) {
		b[0].EachRow(b[3], func(row []float64) []float64 { return Linear(row, b[1].Values, b[2].Values) })
	},
	"relu":    func(b []ValueMatrix) { Relu(b[0].Values) },
	"softmax": func(b []ValueMatrix) { b[0].EachRow(b[0], Softmax) },
	"loss-grad": func(b []ValueMatrix) {
		prob, label, loss, d := b[0], b[1], b[2], b[3]
		for i := range prob.Rows() {
			right := int(label.Values[i])
			loss.Values[i] = -math.Log(prob.Row(i)[right])
			for class, p := range prob.Row(i) {
				if class == right {
					p--
				}
				d.Row(i)[class] = p / float64(prob.Rows())
			}
		}
	},
	"grad-weights": func(b []ValueMatrix) {
		x, d, dw := b[0], b[1], b[2]
		clear(dw.Values)
		for i := range x.Rows() {
			for k, value := range x.Row(i) {
				for n, slope := range d.Row(i) {
					dw.Row(k)[n] += value * slope
				}
			}
		}
	},
	"grad-bias": func(b []ValueMatrix) {
		clear(b[1].Values)
		for i, slope := range b[0].Values {
			b[1].Values[i%b[0].Columns] += slope
		}
	},
	"grad-hidden": func(b []ValueMatrix) {
		d, w, hidden, dh := b[0], b[1], b[2], b[3]
		for i := range dh.Values {
			row, column := i/dh.Columns, i%dh.Columns
			dh.Values[i] = 0
			for n, slope := range d.Row(row) {
				if hidden.Values[i] > 0 {
					dh.Values[i] += slope * w.Row(column)[n]
				}
			}
		}
	},
	"sgd": func(b []ValueMatrix) {
		for i, slope := range b[1].Values {
			b[2].Values[i] -= b[0].Values[0] * slope
		}
	},
}

func sum(row []float64) (total float64) {
	for _, value := range row {
		total += value
	}
	return total
}
