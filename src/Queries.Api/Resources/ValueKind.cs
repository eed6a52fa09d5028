using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.Requests;
using Npgsql;

namespace ApexShop.Queries.Api.Resources;

/// <summary>A type of filter and sort values: its text in a query string, and its PostgreSQL type.</summary>
internal abstract partial class ValueKind
{
    public const int MaxSearchText = 200;
    public const int MaxEmailAddress = 254;

    public static ValueKind Id { get; } = new Integer(1, int.MaxValue);

    public static ValueKind Stars { get; } = new Integer(1, 5);

    public static ValueKind Flag { get; } = new TrueOrFalse();

    public static ValueKind Amount { get; } = new MoneyAmount();

    public static ValueKind Time { get; } = new Instant();

    public static ValueKind AnyText { get; } = new Text("must be text.", _ => true);

    public static ValueKind SearchText { get; } = new Text(
        string.Create(CultureInfo.InvariantCulture, $"must be text of at most {MaxSearchText} characters."),
        text => text.Length <= MaxSearchText && IsPlain(text));

    public static ValueKind EmailAddress { get; } = new Text(
        "must be an e-mail address.",
        text => text.Length <= MaxEmailAddress && IsPlain(text) && text.IndexOf('@') > 0 && text[^1] != '@');

    public static IReadOnlyList<string> OrderStatuses { get; } =
        ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];

    public static ValueKind OrderStatus { get; } = OneOf(OrderStatuses);

    /// <summary>What a value must be, in the words of an error.</summary>
    public abstract string Rule { get; }

    /// <summary>The value of a text, or null.</summary>
    public abstract object? Parse(string text);

    /// <summary>The canonical text of a value.</summary>
    public abstract string Format(object value);

    public abstract NpgsqlParameter Parameter(object value);

    public abstract object Read(NpgsqlDataReader rows, int column);

    private static Text OneOf(IReadOnlyList<string> words) =>
        new($"must be one of {string.Join(", ", words)}.", text => words.Contains(text, StringComparer.Ordinal));

    // PostgreSQL has no text with a zero character; the other control characters have no use in a search.
    private static bool IsPlain(string text) => !text.Any(char.IsControl);

    private abstract class Of<T> : ValueKind
        where T : notnull
    {
        public override NpgsqlParameter Parameter(object value) => new NpgsqlParameter<T> { TypedValue = (T)value };

        public override object Read(NpgsqlDataReader rows, int column) => rows.GetFieldValue<T>(column);

        public override string Format(object value) => string.Create(CultureInfo.InvariantCulture, $"{(T)value}");
    }

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

        public override string Format(object value) => (bool)value ? "true" : "false";
    }

    private sealed partial class MoneyAmount : Of<decimal>
    {
        public override string Rule => "must be a number of 0 or more with at most two decimals.";

        public override object? Parse(string text) =>
            Exact().IsMatch(text)
            && decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var amount)
                ? amount
                : null;

        public override string Format(object value) => ((decimal)value).ToString("0.##", CultureInfo.InvariantCulture);

        // Of the text, since a decimal rounds a number with more than 28 digits. Zeros after two decimals are the same
        // amount.
        [GeneratedRegex(@"^(0|[1-9]\d*)(\.\d{1,2}0*)?\z", RegexOptions.ECMAScript)]
        private static partial Regex Exact();
    }

    private sealed class Instant : Of<DateTime>
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
            var isTime = DateTimeOffset.TryParseExact(text, zoned, CultureInfo.InvariantCulture, style, out var time);
            return isTime ? time.UtcDateTime : null;
        }

        public override string Format(object value) =>
            ((DateTime)value).ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);
    }

    private sealed class Text(string rule, Func<string, bool> isValid) : Of<string>
    {
        public override string Rule => rule;

        public override object? Parse(string text) => isValid(text) ? text : null;
    }
}
