//go:build ignore

// diagnosis: panic

package main

import "github.com/wgslab/wgslab/pkg/check"

func train(t *check.Training) error {
	for t.Next() {
		err := t.Run(
			t.Linear(t.X, t.W1, t.B1, t.Hidden), t.Relu(nil),
			t.Linear(t.Hidden, t.W2, t.B2, t.Prob), t.Softmax(t.Prob),
			t.LossGrad(t.Prob, t.Label, t.Loss, t.D),
			t.GradWeights(t.Hidden, t.D, t.DW2), t.GradBias(t.D, t.DB2),
			t.GradHidden(t.D, t.W2, t.Hidden, t.DHidden),
			t.GradWeights(t.X, t.DHidden, t.DW1), t.GradBias(t.DHidden, t.DB1),
			t.SGD(t.DW1, t.W1), t.SGD(t.DB1, t.B1), t.SGD(t.DW2, t.W2), t.SGD(t.DB2, t.B2),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
