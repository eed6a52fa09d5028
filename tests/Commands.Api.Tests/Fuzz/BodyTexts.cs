using System.ComponentModel.DataAnnotations;
using System.Reflection;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Commands.Api.Tests.Fuzz;

/// <summary>
/// Bodies of one type: nearly right ones, with some members mutated, left out, written twice or made up.
/// </summary>
internal static class BodyTexts
{
    private static int emails;

    public static Gen<string> Of(Type type)
    {
        if (type == typeof(int)) return Gen.Frequency((6, Id), (1, JsonTexts.Any));
        var members = type.GetConstructors().MaxBy(made => made.GetParameters().Length)!.GetParameters();
        return from written in Gen.CollectToArray(members, Member)
               from extra in Gen.Frequency(
                   (12, Gen.Constant(Array.Empty<string>())),
                   (1, from member in JsonTexts.Unknown select new[] { member }))
               from twice in Gen.Frequency((20, Gen.Constant(false)), (1, Gen.Constant(true)))
               select "{" + string.Join(
                   ',', written.Concat(extra).Concat(twice ? written : []).Where(member => member.Length > 0))
                   + "}";
    }

    private static Gen<string> Id { get; } =
        from id in Gen.Choose(1, 40) select id.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private static Gen<string> Member(ParameterInfo member)
    {
        var name = JsonNamingPolicy.CamelCase.ConvertName(member.Name!);
        return Gen.Frequency(
            (40, from value in Right(member) select $"\"{name}\":{value}"),
            (2, from value in JsonTexts.Any select $"\"{name}\":{value}"),
            (1, from value in JsonTexts.Text(JsonTexts.Word) select $"\"{name}\":{value}"),
            (1, from value in JsonTexts.Number select $"\"{name}\":{value}"),
            (1, Gen.Constant("")));
    }

    private static Gen<string> Right(ParameterInfo member)
    {
        var type = Nullable.GetUnderlyingType(member.ParameterType) ?? member.ParameterType;
        if (type == typeof(string)) return TextOf(member);
        if (type == typeof(bool)) return Gen.Elements("true", "false");
        if (type == typeof(decimal)) return Gen.Elements("0", "0.01", "12.5", "999.99", "9999999999999999.99");
        if (type == typeof(long)) return Gen.Elements("null", "1", "2", "3");
        if (type.IsGenericType) return JsonTexts.List(Of(type.GenericTypeArguments[0]), 4);
        return member.GetCustomAttribute<RangeAttribute>() is { } range
            ? from number in Gen.Choose(
                Convert.ToInt32(range.Minimum, null), Math.Min(Convert.ToInt32(range.Maximum, null), 9))
              select number.ToString(System.Globalization.CultureInfo.InvariantCulture)
            : Id;
    }

    private static Gen<string> TextOf(ParameterInfo member) => member switch
    {
        _ when member.GetCustomAttribute<AllowedValuesAttribute>() is { } allowed =>
            Gen.Elements(allowed.Values.Select(value => $"\"{value}\"").ToArray()),
        { Name: "Email" } =>
            from domain in Gen.Elements(
                "b.example", "c.example") select $"\"fuzz{Interlocked.Increment(ref emails)}@{domain}\"",
        { Name: "PhoneNumber" } => Gen.Elements("null", "\"+44 20 7946 0000\""),
        _ => Gen.Elements("\"correct horse\"", "\"Ada Lovelace\"", "\"with \\\"quotes\\\" and \\u00e9\""),
    };
}
