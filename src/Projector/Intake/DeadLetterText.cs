using System.Text;

namespace ApexShop.Projector.Intake;

/// <summary>Bytes that may be anything, shown as text.</summary>
internal static class DeadLetterText
{
    private static readonly UTF8Encoding strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>One line: what is no text, and what would move a terminal's cursor, is a dot.</summary>
    public static string Excerpt(byte[] start) => string.Concat(
        Encoding.UTF8.GetString(start).Select(character => char.IsControl(character) || character == '\uFFFD' ? '.' : character));

    /// <summary>As UTF-8 if it is that, else in base64. A body that was cut may end within a character.</summary>
    public static (string Encoding, string Text) Of(byte[] body, bool isWhole)
    {
        var cuts = isWhole ? 0 : 3;
        for (var cut = 0; cut <= cuts && cut <= body.Length; cut++)
        {
            try
            {
                return ("utf-8", strict.GetString(body, 0, body.Length - cut));
            }
            catch (DecoderFallbackException)
            {
                // Not text up to here; perhaps up to a byte before.
            }
        }

        return ("base64", Convert.ToBase64String(body));
    }
}
