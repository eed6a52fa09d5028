using System.Text.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Paths of errors in a body, in the names of the JSON: <c>items[1].quantity</c>, <c>[17].price</c>.</summary>
internal static class JsonPath
{
    /// <summary>The path from the names of C# members.</summary>
    public static string OfMembers(string path) =>
        string.Join('.', path.Split('.').Select(JsonNamingPolicy.CamelCase.ConvertName));

    /// <summary>
    /// The validation's messages about the member at the end of a path of C# members, in the names of the JSON.
    /// </summary>
    public static string[] InMessages(string path, IEnumerable<string> messages)
    {
        var member = path.Split('.')[^1].Split('[')[0];
        if (member.Length == 0) return [.. messages];
        var name = JsonNamingPolicy.CamelCase.ConvertName(member);
        return [.. messages.Select(message => message.Replace(member, name, StringComparison.Ordinal))];
    }

    /// <summary>The member that could not be read; <c>$</c> for the body itself.</summary>
    public static string OfJson(JsonException mismatch) => mismatch.Path switch
    {
        null or "$" => "$",
        ['$', '.', .. var member] => member,
        ['$', .. var rest] => rest,
        var path => path,
    };

    public static string OfItem(int index) => string.Create(null, stackalloc char[16], $"[{index}]");
}
