using System.Globalization;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>A row of a document table.</summary>
internal sealed record Target(string Kind, int Id, bool IsDeleted);

/// <summary>Harm done to one row, chosen by chance, and the text by which an audit must name it.</summary>
internal sealed record Corruption(string Sql, string Named)
{
    private static readonly Dictionary<string, string[]> columns = new()
    {
        [Resource.Categories.Name] = ["name", "is_active", "created_date"],
        [Resource.Users.Name] = ["email", "first_name", "last_name", "is_active", "created_date"],
        [Resource.Products.Name] =
        [
            "name", "category_id", "price", "stock", "is_active", "is_featured", "rating", "created_date",
            "updated_date", "slug",
        ],
        [Resource.Orders.Name] = ["customer_id", "status", "total_amount", "order_date"],
        [Resource.Reviews.Name] = ["product_id", "user_id", "rating", "created_date"],
    };

    /// <summary>Harm to the target's row, or to one beside it.</summary>
    public static Corruption Of(Target target, Random random)
    {
        var (kind, id, isDeleted) = target;
        var where = string.Create(CultureInfo.InvariantCulture, $"WHERE id = {id}");
        return isDeleted ? OfTombstone(target, random, where) : random.Next(13) switch
        {
            0 => Row(Flipped(random.Next(60), random.Next(8))),
            1 => Row($"body = substring(body FROM 1 FOR {random.Next(80)})"),
            2 => Row($$"""data = {{(random.Next(2) == 0 ? "'[]'" : "jsonb_set(data, '{version}', '-3')")}}"""),
            3 or 4 or 5 => Row(Changed(columns[kind][random.Next(columns[kind].Length)])),
            6 => Row($"version = version {(random.Next(2) == 0 ? "+" : "-")} 1"),
            7 => Row($"is_deleted = true{(random.Next(2) == 0 ? ", data = NULL, body = NULL" : "")}"),
            8 => new($"DELETE FROM read.{kind} {where}", $"{kind}/{id}"),
            9 => Foreign(kind, id, where),
            // The row agrees with itself and only the tables know better.
            10 => Row(
                Everywhere("version", random.Next(2) == 0 ? 40 : 0) + ", version = " + (random.Next(2) == 0 ? 40 : 0)),
            11 when kind == "products" => SideTable(id, random),
            _ => Row($"data = data || '{{\"createdDate\": null}}', version = 0"),
        };

        Corruption Row(string change) => new($"UPDATE read.{kind} SET {change} {where}", $"{kind}/{id}");
    }

    /// <summary>Harm to the counts of one segment.</summary>
    public static Corruption OfSegment(string kind, int segment, Random random) => (kind, random.Next(3)) switch
    {
        ("products", 0) => new(
            $"UPDATE read.category_segments SET product_count = product_count + 3 WHERE segment = {segment}",
            $"{kind}/segment {segment}"),
        (_, 1) => new(
            $"DELETE FROM read.segments WHERE kind = '{kind}' AND segment = {segment}", $"{kind}/segment {segment}"),
        _ => new(
            $"UPDATE read.segments SET document_count = document_count + 2 WHERE kind = '{kind}' AND segment = "
            + $"{segment}", $"{kind}/segment {segment}"),
    };

    private static Corruption OfTombstone(Target target, Random random, string where)
    {
        var (kind, id, _) = target;
        var column = columns[kind][random.Next(columns[kind].Length)];
        var change = random.Next(2) == 0
            ? $"is_deleted = false, data = '{{}}', body = '{{}}'"
            : $"{column} = (SELECT {column} FROM read.{kind} WHERE {column} IS NOT NULL LIMIT 1)";
        // A column that is null everywhere leaves the tombstone as it was.
        if (column is "updated_date" or "slug") change = "body = 'x'";
        return new($"UPDATE read.{kind} SET {change} {where}", $"{kind}/{id}");
    }

    private static Corruption Foreign(string kind, int id, string where)
    {
        var foreign = id + 30_000;
        var names = string.Join(", ", columns[kind]);
        return new(
            $"""
            INSERT INTO read.{kind} (id, version, revision, is_deleted, {names}, data, body)
            SELECT {foreign}, version, revision, false, {names}, jsonb_set(data, '{Path("id")}', '{foreign}'),
                convert_to(regexp_replace(convert_from(body, 'UTF8'), '"id":\d+', '"id":{foreign}'), 'UTF8')
            FROM read.{kind} {where}
            """,
            $"{kind}/{foreign}");
    }

    private static Corruption SideTable(int id, Random random)
    {
        var (table, change) = random.Next(4) switch
        {
            0 => ("product_ratings", "average = 9.99"),
            1 => ("product_changes", "modified_date = modified_date + interval '1 microsecond'"),
            2 => ("product_name_words", "words = words || 'zebra'::text"),
            _ => ("product_words", "words = words || to_tsvector('english', 'zebra')"),
        };
        return new(
            random.Next(2) == 0
                ? $"UPDATE read.{table} SET {change} WHERE product_id = {id}"
                : $"DELETE FROM read.{table} WHERE product_id = {id}",
            $"{Resource.Products.Name}/{id}");
    }

    private static string Everywhere(string member, int value) => $"""
        data = jsonb_set(data, '{Path(member)}', '{value}'),
        body = convert_to(regexp_replace(convert_from(body, 'UTF8'), '"{member}":\d+', '"{member}":{value}'), 'UTF8')
        """;

    private static string Flipped(int at, int bit) => $"body = set_byte(body, {at}, get_byte(body, {at}) # {1 << bit})";

    private static string Path(string member) => $"{{{member}}}";

    private static string Changed(string column) => column switch
    {
        "name" or "email" or "first_name" or "last_name" or "status" => $"{column} = {column} || ' '",
        "is_active" or "is_featured" => $"{column} = NOT {column}",
        "created_date" or "order_date" => $"{column} = {column} + interval '1 microsecond'",
        "updated_date" => $"{column} = now()",
        "slug" => $"{column} = concat({column}, ' ')",
        "price" or "total_amount" => $"{column} = {column} + 0.01",
        _ => $"{column} = {column} + 1",
    };
}
