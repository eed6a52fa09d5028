using System.Text;

namespace ApexShop.Projector.Intake;

/// <summary>Shows arbitrary bytes as text.</summary>
internal static class DeadLetterText
{
    private static readonly UTF8Encoding strict = new(
        encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>One line, with a dot for each byte that is not text and each control character.</summary>
    public static string Excerpt(byte[] start) => string.Concat(
        Encoding.UTF8.GetString(start).Select(character => char.IsControl(character)
            || character == '\uFFFD' ? '.' : character));

    /// <summary>UTF-8 text if possible, else base64. A body that was cut may end within a character.</summary>
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
                // Perhaps it is text up to one byte before.
            }
        }

        return ("base64", Convert.ToBase64String(body));
    }
}
