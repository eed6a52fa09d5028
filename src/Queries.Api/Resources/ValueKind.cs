using System.Globalization;
using Npgsql;

namespace ApexShop.Queries.Api.Resources;

/// <summary>A type of filter and sort values: its text in a query string, and its PostgreSQL type.</summary>
internal abstract partial class ValueKind
{
    public const int MaxSearchText = 200;
    public const int MaxEmailAddress = 254;

    /// <summary>Most values of one filter.</summary>
    public const int MaxSeveral = 20;

    public static ValueKind Id { get; } = new Integer(1, int.MaxValue);

    public static ValueKind Stars { get; } = new Integer(1, 5);

    public static ValueKind Flag { get; } = new TrueOrFalse();

    public static ValueKind Amount { get; } = new MoneyAmount();

    public static ValueKind Time { get; } = new Instant();

    /// <summary>How well a document matches a search; only for cursors.</summary>
    public static ValueKind Rank { get; } = new RealNumber();

    public static ValueKind AnyText { get; } = new Text("must be text.", _ => true);

    public static ValueKind SearchText { get; } = new Text(
        string.Create(CultureInfo.InvariantCulture, $"must be text of at most {MaxSearchText} characters."),
        text => text.Length <= MaxSearchText && IsPlain(text));

    public static ValueKind EmailAddress { get; } = new Text(
        "must be an e-mail address.",
        text => text.Length <= MaxEmailAddress && IsPlain(text) && text.IndexOf('@') > 0 && text[^1] != '@');

    public static IReadOnlyList<string> OrderStatuses { get; } =
        ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];

    public static ValueKind OrderStatus { get; } = new Text(
        $"must be one of {string.Join(", ", OrderStatuses)}.", text => OrderStatuses.Contains(text));

    /// <summary>What a value must be, in the words of an error.</summary>
    public abstract string Rule { get; }

    /// <summary>The value of a text, or null.</summary>
    public abstract object? Parse(string text);

    /// <summary>The values of a text with commas between them, sorted; the value, if it is one; or null.</summary>
    public abstract object? ParseSeveral(string text);

    /// <summary>The canonical text of a value, or of several.</summary>
    public abstract string Format(object value);

    /// <summary>A value, or several, as a parameter of a statement.</summary>
    public abstract NpgsqlParameter Parameter(object value);

    public abstract object Read(NpgsqlDataReader rows, int column);

    // PostgreSQL has no text with a zero character; the other control characters have no use in a search.
    private static bool IsPlain(string text) => !text.Any(char.IsControl);

    private abstract class Of<T> : ValueKind
        where T : notnull
    {
        public override object? ParseSeveral(string text)
        {
            var parts = text.Split(',', MaxSeveral + 1);
            var values = parts.Select(Parse).OfType<T>().Distinct().Order().ToArray();
            if (values.Length != parts.Length || parts.Length > MaxSeveral) return null;
            return values is [var only] ? only : values;
        }

        public override NpgsqlParameter Parameter(object value) => value is T[] several
            ? new NpgsqlParameter<T[]> { TypedValue = several }
            : new NpgsqlParameter<T> { TypedValue = (T)value };

        public override object Read(NpgsqlDataReader rows, int column) => rows.GetFieldValue<T>(column);

        public sealed override string Format(object value) =>
            value is T[] several ? string.Join(',', several.Select(Format)) : Format((T)value);

        protected virtual string Format(T value) => string.Create(CultureInfo.InvariantCulture, $"{value}");
    }
}
