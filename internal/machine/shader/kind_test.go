package shader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func TestParseKind(t *testing.T) {
	for text, want := range map[string]shader.AdapterKind{
		"": shader.Best, "auto": shader.Best, "gpu": shader.GPU, "cpu": shader.CPU, "simulator": shader.Simulated, "Simulator": shader.Simulated,
	} {
		got, err := shader.ParseKind(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	_, err := shader.ParseKind("abacus")
	require.EqualError(t, err, `there is no engine "abacus"; choose one of auto, gpu, cpu, simulator`)
}
