package jupyter

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyMessage draws a message as it can come over a wire: its JSON parts are
// objects, its identities are anything but the delimiter.
func anyMessage(t *rapid.T) Message {
	frames := rapid.SliceOfN(rapid.SliceOf(rapid.Byte()).Filter(func(frame []byte) bool {
		return string(frame) != delimiter
	}), 0, 3)
	return Message{
		Identities: frames.Draw(t, "identities"),
		Header:     anyHeader().Draw(t, "header"),
		Parent:     rapid.OneOf(rapid.Just(Header{}), anyHeader()).Draw(t, "parent"),
		Metadata:   anyObject().Draw(t, "metadata"),
		Content:    anyObject().Draw(t, "content"),
		Buffers:    frames.Draw(t, "buffers"),
	}
}

func anyHeader() *rapid.Generator[Header] {
	return rapid.Custom(func(t *rapid.T) Header {
		text := rapid.String()
		return Header{
			ID: text.Draw(t, "id"), Session: text.Draw(t, "session"), Username: text.Draw(t, "username"),
			Date: text.Draw(t, "date"), Type: text.Draw(t, "type"), Version: text.Draw(t, "version"),
		}
	})
}

func anyObject() *rapid.Generator[json.RawMessage] {
	return rapid.Custom(func(t *rapid.T) json.RawMessage {
		data, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "object"))
		require.NoError(t, err)
		return data
	})
}

func TestMessageRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, key := anyMessage(t), rapid.SliceOf(rapid.Byte()).Draw(t, "key")
		frames, err := want.Encode(key)
		require.NoError(t, err)
		got, err := Decode(frames, key)
		require.NoError(t, err)
		require.Equal(t, len(want.Identities), len(got.Identities))
		require.Equal(t, len(want.Buffers), len(got.Buffers))
		for i, frame := range append(want.Identities, want.Buffers...) {
			require.Equal(t, frame, append(got.Identities, got.Buffers...)[i])
		}
		require.Equal(t, want.Header, got.Header)
		require.Equal(t, want.Parent, got.Parent)
		require.JSONEq(t, string(want.Metadata), string(got.Metadata))
		require.JSONEq(t, string(want.Content), string(got.Content))
	})
}

func TestTamperingIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "key")
		m := anyMessage(t)
		frames, err := m.Encode(key)
		require.NoError(t, err)

		// One bit of the signature or of a signed part.
		signed := frames[len(m.Identities)+1:][:5]
		frame := signed[rapid.IntRange(0, 4).Draw(t, "frame")]
		frame[rapid.IntRange(0, len(frame)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")

		_, err = Decode(frames, key)
		require.ErrorIs(t, err, errSignature)
	})
}

func TestWrongKeyIsSeen(t *testing.T) {
	m, err := NewMessage("status", "s", Header{}, struct{}{})
	require.NoError(t, err)
	frames, err := m.Encode([]byte("one"))
	require.NoError(t, err)
	_, err = Decode(frames, []byte("another"))
	require.ErrorIs(t, err, errSignature)
}

func TestDecodeTakesAnyFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Just([]byte(delimiter)), rapid.Just([]byte("{}")))
		_, err := Decode(rapid.SliceOf(frame).Draw(t, "frames"), nil)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
		}
	})
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	frames := func(texts ...string) (all [][]byte) {
		for _, text := range texts {
			all = append(all, []byte(text))
		}
		return all
	}
	for name, c := range map[string]struct {
		frames [][]byte
		want   string
	}{
		"nothing":      {nil, "no <IDS|MSG> in 0 frames"},
		"no delimiter": {frames("a", "b"), "no <IDS|MSG> in 2 frames"},
		"cut off":      {frames("id", delimiter, "", "{}", "{}"), "3 frames after <IDS|MSG>"},
		"no JSON":      {frames(delimiter, "", "{}", "{}", "{}", "{"), "its content"},
		"other JSON":   {frames(delimiter, "", "[]", "{}", "{}", "{}"), "its header"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(c.frames, nil)
			require.ErrorIs(t, err, ErrFormat)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// The example was signed by Python's hmac module, not by this package.
func TestSignatureIsJupyters(t *testing.T) {
	parts := [][]byte{[]byte(`{"msg_id":"1"}`), []byte(`{}`), []byte(`{}`), []byte(`{"code":"1+1"}`)}
	require.Equal(t, "571f54ca20ac469366661f0eb466e6d650eee65ae12436bc786b76a5eb890b86", string(sign([]byte("a0436f6c-1916-498b-8eb9-e81ab9368e84"), parts)))
}

func TestConnectionFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kernel.json")
	want := newConnection(t.TempDir(), "gonb")
	require.NoError(t, want.Write(path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "the key in it is a secret")
	got, err := ReadConnection(path)
	require.NoError(t, err)
	require.Equal(t, want, got)

	tcp := Connection{Transport: "tcp", IP: "127.0.0.1"}
	network, address := tcp.address(5555)
	require.Equal(t, "tcp 127.0.0.1:5555", network+" "+address)

	require.NoError(t, os.WriteFile(path, []byte(`{"key":"k","signature_scheme":"md5"}`), 0o600))
	_, err = ReadConnection(path)
	require.ErrorContains(t, err, `signature scheme "md5"`)
}
