using System.Collections;
using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using ApexShop.Messaging;

namespace ApexShop.Architecture.Tests.Settings;

/// <summary>
/// One setting: its name in the configuration, the member that it is bound to, its default, and for a member of an
/// inner class or of the items of a list the member that contains it.
/// </summary>
internal sealed record Setting(string Name, PropertyInfo Member, object? Value, PropertyInfo? Outer)
{
    // The longest ending first.
    private static readonly (string Ending, string Unit)[] units =
    [
        ("BytesPerSecond", "bytes per second"), ("Milliseconds", "milliseconds"), ("Seconds", "seconds"),
        ("Minutes", "minutes"), ("Days", "days"), ("Megabytes", "megabytes"), ("Bytes", "bytes"),
        ("Connections", "connections"),
        ("Requests", "requests"), ("Burst", "requests"), ("Documents", "documents"), ("Exported", "documents"),
        ("Events", "events"), ("Items", "items"), ("Rows", "rows"), ("MaxOffset", "rows"), ("Hops", "proxies"),
        ("Prefetch", "messages"), ("SequencerBatch", "rows"), ("PublisherBatch", "events"),
        ("SweepChunk", "responses"), ("Followers", "followers"), ("Readers", "readers"), ("Exports", "exports"),
        ("Named", "differences"),
        ("Concurrent", "streams"), ("ConcurrentOfCaller", "streams"), ("ConcurrentWithoutKey", "streams"),
        ("Concurrency", "webhooks"), ("PendingOfCustomer", "orders"), ("QuantityOfCustomer", "pieces"),
    ];

    /// <summary>Null when the name and the type do not say it.</summary>
    public string? Unit => IsSwitch ? "true or false"
        : Scalar == typeof(TimeSpan) ? "hh:mm:ss"
        : Scalar == typeof(Uri) || Member.IsDefined(typeof(UrlAttribute))
            || Member.IsDefined(typeof(BrokerUrlAttribute)) ? "URL"
        : Scalar == typeof(string) ? "text"
        : units.FirstOrDefault(unit => Member.Name.EndsWith(unit.Ending, StringComparison.Ordinal)).Unit;

    public string Default => Value switch
    {
        null or "" when Member.IsDefined(typeof(RequiredAttribute)) => "required",
        null when Nullable.GetUnderlyingType(Member.PropertyType) is not null => "see text",
        null or "" or IList => "none",
        bool value => value ? "true" : "false",
        TimeSpan { Milliseconds: > 0 } value => value.ToString(@"hh\:mm\:ss\.fff", CultureInfo.InvariantCulture),
        TimeSpan value => value.ToString("c", CultureInfo.InvariantCulture),
        _ => Convert.ToString(Value, CultureInfo.InvariantCulture)!,
    };

    public string Range => Member.GetCustomAttribute<RangeAttribute>() is { } range
        ? IsUnlimited(range.Maximum) ? $"from {Text(range.Minimum)}" : $"{Text(range.Minimum)} to {Text(range.Maximum)}"
        : "-";

    public string Summary => $"{(Outer is null ? "" : Summaries.Of(Outer))} {Summaries.Of(Member)}".Trim();

    private bool IsSwitch => Scalar == typeof(bool);

    private Type Scalar => Nullable.GetUnderlyingType(Member.PropertyType) ?? ItemOf(Member.PropertyType)
        ?? Member.PropertyType;

    /// <summary>Every setting of an options class, of its inner classes and of the items of its lists.</summary>
    public static IEnumerable<Setting> Of(Type type, string name) => Of(Activator.CreateInstance(type)!, name, null);

    private static IEnumerable<Setting> Of(object options, string path, PropertyInfo? outer) =>
        from member in options.GetType().GetProperties(BindingFlags.Instance | BindingFlags.Public)
        where member.CanWrite
        let item = ItemOf(member.PropertyType)
        let value = member.GetValue(options)
        let name = $"{path}:{member.Name}{(item is null ? "" : ":0")}"
        from setting in IsOurs(item) ? Of(Activator.CreateInstance(item!)!, name, member)
            : IsOurs(member.PropertyType) ? Of(value!, name, member)
            : [new Setting(name, member, value, outer)]
        select setting;

    private static Type? ItemOf(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IList<>) ? type.GenericTypeArguments[0] : null;

    private static bool IsOurs(Type? type) =>
        type?.IsClass == true && type.Namespace!.StartsWith("ApexShop", StringComparison.Ordinal);

    private static bool IsUnlimited(object value) => value is int.MaxValue
        || Convert.ToString(value, CultureInfo.InvariantCulture) is { } text
            && text.StartsWith("9223372036854", StringComparison.Ordinal)
        || value is double and >= long.MaxValue;

    private static string Text(object value) => value is double number
        ? number.ToString("0.####", CultureInfo.InvariantCulture)
        : Convert.ToString(value, CultureInfo.InvariantCulture)!;
}
