using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace ApexShop.Architecture.Tests;

/// <summary>
/// Which types a type uses anywhere: in signatures, attributes and method bodies, its closures included.
/// </summary>
internal static class TypeUses
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
        | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OpCode> opCodes = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value);

    /// <summary>
    /// The hand-written types: no closures, no migrations, no generated types.
    /// </summary>
    public static IEnumerable<Type> Written(Assembly assembly) => assembly.GetTypes().Where(type =>
        !type.IsNested
        && type.Namespace?.StartsWith("ApexShop", StringComparison.Ordinal) == true
        && !type.Namespace.EndsWith(".Persistence.Migrations", StringComparison.Ordinal)
        && !type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false));

    /// <summary>The outermost types that <paramref name="type"/> and everything nested in it use.</summary>
    public static HashSet<Type> Of(Type type)
    {
        var used = new HashSet<Type>();
        Collect(type, used);
        return [.. used.Select(Outermost)];
    }

    public static Type Outermost(Type type)
    {
        while (type.DeclaringType is { } outer) type = outer;
        return type.IsGenericType ? type.GetGenericTypeDefinition() : type;
    }

    private static void Collect(Type type, HashSet<Type> used)
    {
        Add(type.BaseType, used);
        foreach (var one in type.GetInterfaces()) Add(one, used);
        Add(type.GetCustomAttributesData(), used);
        foreach (var field in type.GetFields(Declared)) Add(field, used);
        foreach (var method in type.GetMethods(Declared)) Collect(method, used);
        foreach (var constructor in type.GetConstructors(Declared)) Collect(constructor, used);
        foreach (var property in type.GetProperties(Declared)) Add(property.GetCustomAttributesData(), used);
        foreach (var nested in type.GetNestedTypes(Declared)) Collect(nested, used);
    }

    private static void Collect(MethodBase method, HashSet<Type> used)
    {
        Add(method, used);
        Add(method.GetCustomAttributesData(), used);
        if (method.GetMethodBody() is not { } body) return;
        foreach (var local in body.LocalVariables) Add(local.LocalType, used);
        foreach (var clause in body.ExceptionHandlingClauses)
            if (clause.Flags == ExceptionHandlingClauseOptions.Clause) Add(clause.CatchType, used);
        foreach (var token in Tokens(body.GetILAsByteArray()!)) Add(Resolve(method, token), used);
    }

    private static MemberInfo? Resolve(MethodBase method, int token) => method.Module.ResolveMember(
        token,
        method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null,
        method.IsGenericMethod ? method.GetGenericArguments() : null);

    private static IEnumerable<int> Tokens(byte[] il)
    {
        for (var at = 0; at < il.Length;)
        {
            var code = opCodes[il[at] == 0xFE ? unchecked((short)(0xFE00 | il[at + 1])) : il[at]];
            at += code.Size;
            switch (code.OperandType)
            {
                case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineType
                    or OperandType.InlineTok:
                    yield return BinaryPrimitives.ReadInt32LittleEndian(il.AsSpan(at));
                    at += 4;
                    break;
                case OperandType.InlineSwitch:
                    at += 4 + (4 * BinaryPrimitives.ReadInt32LittleEndian(il.AsSpan(at)));
                    break;
                case OperandType.InlineI8 or OperandType.InlineR: at += 8; break;
                case OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar:
                    at++;
                    break;
                case OperandType.InlineVar: at += 2; break;
                case OperandType.InlineNone: break;
                default: at += 4; break;
            }
        }
    }

    private static void Add(MemberInfo? member, HashSet<Type> used)
    {
        switch (member)
        {
            case Type { HasElementType: true } type: Add(type.GetElementType(), used); break;
            case Type { IsGenericParameter: false } type when used.Add(type):
                foreach (var argument in type.GetGenericArguments()) Add(argument, used);
                break;
            case FieldInfo field:
                Add(field.DeclaringType, used);
                Add(field.FieldType, used);
                Add(field.GetCustomAttributesData(), used);
                break;
            case MethodBase method:
                Add(method.DeclaringType, used);
                Add((method as MethodInfo)?.ReturnType, used);
                foreach (var parameter in method.GetParameters()) Add(parameter.ParameterType, used);
                if (method.IsGenericMethod) foreach (var argument in method.GetGenericArguments()) Add(argument, used);
                break;
        }
    }

    private static void Add(IEnumerable<CustomAttributeData> attributes, HashSet<Type> used)
    {
        foreach (var attribute in attributes)
        {
            Add(attribute.AttributeType, used);
            foreach (var argument in attribute.ConstructorArguments) Add(argument.Value as Type, used);
        }
    }
}
