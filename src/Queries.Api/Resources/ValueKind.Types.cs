using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.Resources;

/// <summary>How the values of each type are written in a query string.</summary>
internal abstract partial class ValueKind
{
    private sealed class Integer(int least, int most) : Of<int>
    {
        public override string Rule { get; } =
            string.Create(CultureInfo.InvariantCulture, $"must be a whole number from {least} to {most}.");

        public override object? Parse(string text) =>
            WholeNumber.TryParse(text, out var number) && number >= least && number <= most
                ? (int)number
                : null;
    }

    private sealed class TrueOrFalse : Of<bool>
    {
        public override string Rule => "must be true or false.";

        public override object? Parse(string text) => text switch { "true" => true, "false" => false, _ => null };

        protected override string Format(bool value) => value ? "true" : "false";
    }

    private sealed partial class MoneyAmount : Of<decimal>
    {
        public override string Rule => "must be a number of 0 or more with at most two decimals.";

        public override object? Parse(string text) =>
            Exact().IsMatch(text)
            && decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var amount)
                ? amount
                : null;

        protected override string Format(decimal value) => value.ToString("0.##", CultureInfo.InvariantCulture);

        // Of the text, since a decimal rounds a number with more than 28 digits. Zeros after two decimals are the same
        // amount.
        [GeneratedRegex(@"^(0|[1-9]\d*)(\.\d{1,2}0*)?\z", RegexOptions.ECMAScript)]
        private static partial Regex Exact();
    }

    private sealed partial class Instant : Of<DateTime>
    {
        private static readonly string[] zoned =
        [
            "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFzzz", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'",
            "yyyy-MM-dd'T'HH:mmzzz", "yyyy-MM-dd'T'HH:mm'Z'", "yyyy-MM-dd",
        ];

        public override string Rule => "must be an ISO 8601 date, or date and time with Z or an offset.";

        public override object? Parse(string text)
        {
            const DateTimeStyles style = DateTimeStyles.AssumeUniversal;
            var stored = NotStored().Replace(text, "");
            var isTime = DateTimeOffset.TryParseExact(stored, zoned, CultureInfo.InvariantCulture, style, out var time);
            return isTime ? time.UtcDateTime : null;
        }

        protected override string Format(DateTime value) =>
            value.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);

        // PostgreSQL stores six decimals of a second.
        [GeneratedRegex(@"(?<=\.[0-9]{6})[0-9]+")]
        private static partial Regex NotStored();
    }

    private sealed class RealNumber : Of<float>
    {
        public override string Rule => "must be a number.";

        public override object? Parse(string text) => float.Parse(text, CultureInfo.InvariantCulture);
    }

    private sealed class Text(string rule, Func<string, bool> isValid) : Of<string>
    {
        public override string Rule => rule;

        public override object? Parse(string text) => isValid(text) ? text : null;
    }
}
